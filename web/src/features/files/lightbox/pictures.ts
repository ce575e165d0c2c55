import type { MediaFile } from '@asterism/sdk';
import { createContext } from 'react';

/** A picture or a video as the lightbox shows it. */
export interface LightboxPicture {
  readonly file: MediaFile;
  /** The text for those who do not see it. */
  readonly name: string;
  /** The name of its author; undefined if that is the reader. */
  readonly by: string | undefined;
  readonly at: string;
}

/** Whether the lightbox shows a file. */
export const isShown = ({ kind }: MediaFile): boolean => kind === 'image' || kind === 'video';

/** The pictures and videos of a chat, while it is open. */
export interface ChatPictures {
  /** Those of the loaded messages, the oldest first. */
  readonly read: () => readonly LightboxPicture[];
  /** The given ones without those that were deleted: their time is one of the loaded messages, none of which has them. */
  readonly keep: (pictures: readonly LightboxPicture[]) => readonly LightboxPicture[];
  /** Whether there are older messages, and whether they are being loaded, or could not be. */
  readonly older: () => 'none' | 'ready' | 'loading' | 'failed';
  readonly loadOlder: () => void;
  /** Calls a listener after each change of the above. @returns ends this */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Those of the chat that a message is in; undefined outside of chats, where a post has only its own pictures. */
export const PicturesAround = createContext<ChatPictures | undefined>(undefined);
