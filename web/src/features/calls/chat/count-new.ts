import type { ChatMessage } from '@asterism/sdk';

/** How many messages of others are newer than the one that was read last, without deleted ones. */
export const countNew = (items: readonly ChatMessage[], read_up_to: string, reader_id: string | undefined): number =>
  items.filter(
    ({ id, deleted_at, author }) =>
      id > read_up_to && deleted_at === null && (author?.user ?? author?.guest)?.id !== reader_id,
  ).length;

/** Whether messages newer than the one that was read last may be missing in a list that starts with the newest. */
export const mayLackNew = (items: readonly ChatMessage[], read_up_to: string): boolean =>
  items.every(({ id }) => id > read_up_to);
