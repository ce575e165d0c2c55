/** Incoming SMS: a reply to the last text that the service was asked to send to that number. */
import type { IncomingText } from '../../engines/ports.ts';
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { ApiError } from '../../kernel/errors.ts';
import { change as inChange, type Change, type Services } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { isNumberBlocked } from '../visibility/numbers.ts';
import { deliverToInbox } from '../inbox/inbox.ts';
import { isActive } from '../visibility/people.ts';

/** How long after a text a reply is accepted, in seconds: 14 days, as long as an invite is valid. */
export const answer_within_s = 14 * 86_400;
/** The maximum length of a multi-part SMS, in characters. */
const max_characters = 1600;

/** Records who used the service to text a number: replies are delivered to them, until another user texts it. */
export async function recordSender(
  { db, now }: Pick<Change, 'db' | 'now'>,
  number: string,
  user_id: string,
): Promise<void> {
  await db.run(sql`
    insert into text_writers (number, user_id, written_at) values (${number}, ${user_id}, ${now})
    on conflict (number) do update set user_id = excluded.user_id, written_at = excluded.written_at`);
}

type Receiver = { user_id: string; name: string | null };

/**
 * The recipient of a text from a number: the user who last texted that number through the service, and its name in
 * their contacts. Undefined without one, and when there is a block between that person and the number's account.
 */
function selectReceiver(db: Queryable, number: string, now: Date): Promise<Receiver | undefined> {
  return db.maybe<Receiver>(sql`
    select w.user_id, (
      select c.name from contact_addresses a join contacts c on c.id = a.contact_id
      where a.owner_id = w.user_id and a.address = w.number order by c.id limit 1) as name
    from text_writers w join users u on u.id = w.user_id
    where w.number = ${number} and w.written_at > ${after(now, -answer_within_s)}
      and ${isActive()}
      and not ${isNumberBlocked(sql`w.user_id`, sql`w.number`)}`);
}

/**
 * Delivers a text from a phone to an inbox, once, however often it is reported. Texts without a recipient, and those
 * too late or too frequent, are dropped silently.
 * @param text its `from` in E.164
 * @returns whether it was delivered
 */
export async function receiveText(services: Services, { id, from, text }: IncomingText): Promise<boolean> {
  const body = Array.from(text.trim()).slice(0, max_characters).join('');
  if (body === '' || !(await isWithinBudget(services, from))) return false;
  return inChange(services, async (change) => {
    const { db, now } = change;
    const fresh = await db.run(sql`
      insert into incoming_texts (provider_id, received_at) values (${id}, ${now}) on conflict do nothing`);
    const receiver = fresh > 0 ? await selectReceiver(db, from, now) : undefined;
    if (!receiver) return false;
    const sender = { user_id: null, number: from, name: receiver.name ?? from };
    await deliverToInbox(change, [{ user_id: receiver.user_id, kind: 'text', from: sender, body }]);
    return true;
  });
}

async function isWithinBudget({ throttle }: Services, from: string): Promise<boolean> {
  try {
    await throttle.consume('incoming_text', from);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limited') return false;
    throw error;
  }
}
