/** Messages caught by the simulators, in memory, for the console. */
import type { CapturedMessage, OutboxSink } from '../ports.ts';

/**
 * @param options.now the service's time, which the console can change.
 * @param options.limit the number of messages kept.
 */
export function createOutboxSink(options: { now(): Date; limit?: number }): OutboxSink {
  const limit = options.limit ?? 1_000;
  const newest_first: CapturedMessage[] = [];
  return {
    add(caught) {
      // A message that is delivered again after a crash is listed once.
      if (newest_first.some(({ id, channel }) => id === caught.id && channel === caught.channel)) return;
      newest_first.unshift({ ...caught, at: `${options.now().toISOString().slice(0, 19)}Z` });
      if (newest_first.length > limit) newest_first.length = limit;
    },
    list({ to, channel, limit: page, offset }) {
      const wanted = to?.toLowerCase();
      const found = newest_first.filter(
        (caught) =>
          (wanted === undefined || caught.to.toLowerCase() === wanted) &&
          (channel === undefined || caught.channel === channel),
      );
      return { items: found.slice(offset, offset + page), has_more: found.length > offset + page };
    },
  };
}
