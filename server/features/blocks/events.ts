/** Replay barriers of a block: internal, not published events. */
import { event } from '../../kernel/event.ts';
import { replay_barred } from '../../kernel/realtime/replay.ts';
import { idOf, object } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';

const replayBarred = event(
  replay_barred,
  'Nothing from before that names somebody is replayed.',
  object({ user_id: idOf('usr') }),
);

/** Prevents the devices of each person from being replayed events about earlier actions of the other. */
export function barReplays(change: Pick<Change, 'emit'>, one_id: string, other_id: string): void {
  change.emit(replayBarred, [`user:${one_id}`], { user_id: other_id });
  change.emit(replayBarred, [`user:${other_id}`], { user_id: one_id });
}
