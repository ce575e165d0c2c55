declare module 'subset-font' {
  /** An axis of a variable font: its range, or the one value that remains. */
  type Axis = { min: number; max: number } | number;
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'woff2'; variationAxes?: Record<string, Axis> },
  ): Promise<Buffer>;
}
