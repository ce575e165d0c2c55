interface Dated {
  readonly created_at: string;
}

/** Merges two lists, newest first. At equal times, those of the first list keep their order and precede the others. */
export function mergeRows<T extends Dated>(rows: readonly T[], others: readonly T[]): T[] {
  return [...rows, ...others].toSorted((one, other) => other.created_at.localeCompare(one.created_at));
}
