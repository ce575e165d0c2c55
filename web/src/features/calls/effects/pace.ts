/** How much work the blur of one picture may be. */
export interface Effort {
  /** Who is in the picture is looked up anew in every so-manieth frame. */
  readonly mask_every: number;
  /** The longer side of what is looked at, in pixels. */
  readonly mask_size: number;
  /** The longer side of what is sent, at most. */
  readonly picture_size: number;
  /** Frames that take longer than this on average are too slow for this effort. */
  readonly slow_ms: number;
}

/** Below 20 pictures a second the work is lowered. The least is given up only below 7: what is behind somebody then shows. */
const EFFORTS: readonly Effort[] = [
  { mask_every: 1, mask_size: 256, picture_size: 1_280, slow_ms: 50 },
  { mask_every: 2, mask_size: 256, picture_size: 960, slow_ms: 50 },
  { mask_every: 3, mask_size: 160, picture_size: 640, slow_ms: 150 },
];

/** What is measured before anything is changed: the first frames of a camera say little about the ones that follow. */
const FRAMES_MEASURED = 45;

/** Follows how long frames take, and lowers the effort while they take too long. */
export interface Pace {
  readonly effort: () => Effort;
  /**
   * Takes how long one frame took.
   * @returns `give_up` when frames take too long even with the least effort
   */
  readonly note: (took_ms: number) => 'go_on' | 'give_up';
}

/** Begins with the best picture. */
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

/** The size of a picture whose longer side is to be `size` pixels at most, in its own proportions. */
export function fitSize(width: number, height: number, size: number): { width: number; height: number } {
  const scale = Math.min(1, size / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
