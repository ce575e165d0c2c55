/** The size of a picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
}

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

/** The lengths of recordings made on this page, in seconds, since browsers write none into their header. */
export const recorded_s = new WeakMap<File, number>();

/** The file is no longer on this device; sending it again cannot help. */
export class LostFile extends Error {}
