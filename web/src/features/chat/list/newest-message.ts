interface Row {
  readonly key: string;
  readonly placed?: { readonly message: { readonly call?: unknown } };
}

/** The newest message of the rows up to one of them; undefined when there is none. @param rows oldest first */
export const newestMessageOf = (rows: readonly Row[], last_index: number): string | undefined =>
  rows.slice(0, last_index + 1).findLast(({ placed }) => placed !== undefined && placed.message.call === undefined)
    ?.key;
