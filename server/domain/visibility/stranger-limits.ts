/** Limits on first contacts, rings and mentions by strangers: people whom the target neither follows nor has as a contact. */
import { sql } from '../../kernel/database/database.ts';
import type { ThrottleClass } from '../../kernel/load/throttle.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { areNotBlocked, isKnownTo, mayReach } from './people.ts';

/** The consumption of a request's budgets. */
export type Consume = { consume(name: ThrottleClass, key: string): Promise<void> };

/**
 * Consumes the one budget of what a person first sends to strangers, whether message requests or videomail: otherwise
 * the limit of one way could be avoided by another. Group invites have a larger one, since a group is filled at once.
 * @throws ApiError `rate_limited`
 */
export const consumeFirstContact = ({ consume }: Consume, sender_id: string): Promise<void> =>
  consume('message_request', sender_id);

type RungCallee = { id: string; known: boolean; reached: boolean };

/**
 * Silences the rings of callees who have been rung too often by this stranger, or by strangers in total: their devices
 * are not alerted and no missed call is stored, which looks to the caller like an unanswered call.
 */
export async function limitStrangerRings(
  { throttle }: Services,
  caller_id: string,
  callees: RungCallee[],
): Promise<void> {
  for (const callee of callees) {
    if (callee.known || !callee.reached) continue;
    callee.reached =
      (await throttle.tryConsume('stranger_ring_pair', `${caller_id} ${callee.id}`)) &&
      (await throttle.tryConsume('stranger_ring', callee.id));
  }
}

/** Who mentions whom, and where. */
type Mentioning = { kind: 'mention' | 'group_mention'; actor_id: string; source_id: string; mentioned: string[] };

/**
 * The mentioned people who are to be notified. People whose `reach.message` excludes strangers are not notified of
 * their mentions; for others, mentions by strangers are limited. A repeated notification is free, so that an edit that
 * keeps a mention consumes no budget.
 * @param source_id the status, reply, comment or message that mentions them
 */
export async function admitMentions(
  { db, services: { throttle } }: Pick<Change, 'db' | 'services'>,
  { kind, actor_id, source_id, mentioned }: Mentioning,
): Promise<string[]> {
  const others = mentioned.filter((id) => id !== actor_id);
  if (others.length === 0) return [];
  const rows = await db.many<{ id: string; known: boolean }>(sql`
    select u.id, ${isKnownTo(actor_id)} as known from users u
    where u.id = any(${others}::text[]) and ${mayReach(actor_id, 'message')} and ${areNotBlocked(actor_id, 'u.id')}
      and not ${kind} = any(u.muted_kinds)
      and not exists (select 1 from notification_acts a where a.source_id = ${source_id} and a.user_id = u.id)
    order by u.id`);
  const admitted: string[] = [];
  for (const { id, known } of rows) {
    const is_admitted =
      known ||
      ((await throttle.tryConsume('stranger_mention_pair', `${actor_id} ${id}`)) &&
        (await throttle.tryConsume('stranger_mention_sender', actor_id)) &&
        (await throttle.tryConsume('stranger_mention', id)));
    if (is_admitted) admitted.push(id);
  }
  return admitted;
}
