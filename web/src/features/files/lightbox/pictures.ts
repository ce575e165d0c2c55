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

/**
 * All pictures and videos of the chat that a message is in, in order, read when one is opened; undefined outside of chats, where a
 * post has only its own pictures.
 */
export const PicturesAround = createContext<(() => readonly LightboxPicture[]) | undefined>(undefined);
