/** What is known of a file before it is uploaded. */
export interface LocalFile {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly width?: number;
  readonly height?: number;
  readonly duration_s?: number;
}

/** What this page has measured of a file: the size of a picture, or the length of a recording, which its header lacks. */
export const measures = new WeakMap<File, Pick<LocalFile, 'width' | 'height' | 'duration_s'>>();

/** The file is no longer on this device; sending it again cannot help. */
export class LostFile extends Error {}
