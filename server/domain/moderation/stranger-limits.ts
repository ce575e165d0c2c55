/** How often people may be rung or mentioned by strangers: those whom they neither follow nor have as a contact. */
import { sql } from '../../kernel/database/database.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { areTogether, isKnownTo, mayReach } from '../visibility/people.ts';

type Callee = { id: string; known: boolean; reached: boolean };

/**
 * Marks those callees as not reached who have been rung too often by this stranger, or by strangers altogether: their
 * devices stay silent and no missed call is kept, which the caller cannot tell from nobody answering.
 */
export async function limitStrangerRings({ throttle }: Services, caller_id: string, callees: Callee[]): Promise<void> {
  for (const callee of callees) {
    if (callee.known || !callee.reached) continue;
    callee.reached =
      (await throttle.tryTake('stranger_ring_pair', `${caller_id} ${callee.id}`)) &&
      (await throttle.tryTake('stranger_ring', callee.id));
  }
}

/**
 * Those of the mentioned who are to be notified. Whoever keeps strangers from writing to them (`reach.message`) hears
 * nothing of their mentions either; to others a stranger's mentions are limited. What was told already costs nothing,
 * so that an edit which leaves a mention in place uses up no budget.
 * @param source_id the status, reply or comment that mentions them
 */
export async function admitMentions(
  { db }: Pick<Change, 'db'>,
  { throttle }: Services,
  { actor_id, source_id, mentioned }: { actor_id: string; source_id: string; mentioned: string[] },
): Promise<string[]> {
  const others = mentioned.filter((id) => id !== actor_id);
  if (others.length === 0) return [];
  const rows = await db.many<{ id: string; known: boolean }>(sql`
    select u.id, ${isKnownTo(actor_id)} as known from users u
    where u.id = any(${others}::text[]) and ${mayReach(actor_id, 'message')} and ${areTogether(actor_id, 'u.id')}
      and not 'mention' = any(u.muted_kinds)
      and not exists (select 1 from notification_acts a where a.source_id = ${source_id} and a.user_id = u.id)
    order by u.id`);
  const admitted: string[] = [];
  for (const { id, known } of rows) {
    const is_admitted =
      known ||
      ((await throttle.tryTake('stranger_mention_pair', `${actor_id} ${id}`)) &&
        (await throttle.tryTake('stranger_mention_sender', actor_id)) &&
        (await throttle.tryTake('stranger_mention', id)));
    if (is_admitted) admitted.push(id);
  }
  return admitted;
}
