/** What the lightbox still shows when messages of the chat are deleted meanwhile. */
import type { LightboxPicture } from './pictures.ts';

/** The shown picture among those that are loaded. */
export interface Position {
  readonly pictures: readonly LightboxPicture[];
  readonly index: number;
  /** How many of the pictures before the shown one were added since the first was opened. */
  readonly older_count: number;
}

const keyOf = ({ file, at }: LightboxPicture): string => `${file.id} ${at}`;

/**
 * Those of `pictures` that may still be in the chat.
 * @param present those of the loaded messages
 * @param loaded_from the time of the oldest loaded message
 */
export function keepPictures(
  pictures: readonly LightboxPicture[],
  present: readonly LightboxPicture[],
  loaded_from: string,
): readonly LightboxPicture[] {
  const keys = new Set(present.map(keyOf));
  return pictures.filter((one) => one.at < loaded_from || keys.has(keyOf(one)));
}

/** A position among fewer pictures: where the shown one is no longer among them, that of the next, or of the last. */
export function moveAmong({ pictures, index, older_count }: Position, kept: readonly LightboxPicture[]): Position {
  const rest = new Set(kept);
  const countKept = (end: number) => pictures.slice(0, end).filter((one) => rest.has(one)).length;
  return {
    pictures: kept,
    index: Math.min(countKept(index), kept.length - 1),
    older_count: countKept(older_count),
  };
}
