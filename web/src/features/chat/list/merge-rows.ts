interface Dated {
  readonly created_at: string;
}

/** Two lists as one, newest first. Of one moment, those of the first list keep their order and stand before the others. */
export function mergeRows<T extends Dated>(rows: readonly T[], others: readonly T[]): T[] {
  return [...rows, ...others].toSorted((one, other) => other.created_at.localeCompare(one.created_at));
}
