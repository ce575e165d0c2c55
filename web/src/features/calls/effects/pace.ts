/** The processing settings of one frame. */
export interface Effort {
  /** Segmentation runs in every nth frame. */
  readonly mask_every: number;
  /** The longer side of the segmented picture, in pixels. */
  readonly mask_size: number;
  /** The maximum longer side of the output, in pixels. */
  readonly picture_size: number;
  /** When frames take longer than this on average, this effort is too high. */
  readonly slow_ms: number;
}

/**
 * Below 20 frames per second the effort is lowered. At the lowest one, blur is only switched off below 7, since the
 * background then becomes visible.
 */
const EFFORTS: readonly Effort[] = [
  { mask_every: 1, mask_size: 256, picture_size: 1_280, slow_ms: 50 },
  { mask_every: 2, mask_size: 256, picture_size: 960, slow_ms: 50 },
  { mask_every: 3, mask_size: 160, picture_size: 640, slow_ms: 150 },
];

/** The number of frames measured before a change: the first frames of a camera are not representative. */
const FRAMES_MEASURED = 45;

/** Measures frame times, and lowers the effort while they are too long. */
export interface Pace {
  readonly effort: () => Effort;
  /** Adds the processing time of a frame. @returns `give_up` when frames take too long even with the lowest effort */
  readonly note: (took_ms: number) => 'go_on' | 'give_up';
}

/** Starts with the highest effort. */
export function createPace(): Pace {
  let level = 0;
  let frames = 0;
  let sum_ms = 0;
  return {
    effort: () => EFFORTS[level]!,
    note(took_ms) {
      frames += 1;
      sum_ms += took_ms;
      if (frames < FRAMES_MEASURED) return 'go_on';
      const is_slow = sum_ms / frames > EFFORTS[level]!.slow_ms;
      frames = 0;
      sum_ms = 0;
      if (!is_slow) return 'go_on';
      if (level === EFFORTS.length - 1) return 'give_up';
      level += 1;
      return 'go_on';
    },
  };
}

/** Scales dimensions so that the longer side has at most `size` pixels. */
export function fitSize(width: number, height: number, size: number): { width: number; height: number } {
  const scale = Math.min(1, size / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
