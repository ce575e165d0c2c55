/** How much work the blur of one picture may be. */
export interface Effort {
  /** Who is in the picture is looked up anew in every so-manieth frame. */
  readonly mask_every: number;
  /** The width of what is looked at, in pixels. */
  readonly mask_width: number;
}

const EFFORTS: readonly Effort[] = [
  { mask_every: 1, mask_width: 256 },
  { mask_every: 2, mask_width: 256 },
  { mask_every: 3, mask_width: 160 },
];

/** Fewer than 20 pictures a second: more work than a call can carry beside everything else. */
const SLOW_MS = 50;

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
      const is_slow = sum_ms / frames > SLOW_MS;
      frames = 0;
      sum_ms = 0;
      if (!is_slow) return 'go_on';
      if (level === EFFORTS.length - 1) return 'give_up';
      level += 1;
      return 'go_on';
    },
  };
}

/** The size at which a picture is looked at: as wide as the effort allows, in the proportions of the picture. */
export function maskSize(width: number, height: number, mask_width: number): { width: number; height: number } {
  const scale = mask_width / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
