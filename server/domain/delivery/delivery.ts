/** Delivery of mail and SMS: enqueued with the change that causes it and sent by a job after the commit. */
import { crc32 } from 'node:zlib';
import type { Letter, ShortMessage } from '../../engines/ports.ts';
import { job } from '../../kernel/job.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { countryOf } from '../../kernel/formats/phone.ts';
import { isMailBlocked, isNumberBlocked } from '../visibility/numbers.ts';
import { isActive } from '../visibility/people.ts';

/** The payload of a queued message is encrypted, since it may contain a code or a link. */
type Sealed = { sealed: string; by?: Author };

/** The account on whose behalf a message is sent, and the invite that it is about, if any. */
type Author = { user_id: string; invite_id?: string };

/**
 * Whether a message may still be sent: its author is neither deleted nor suspended since it was queued, no block separates
 * the author from its recipient, and the invite is open. A provider that is down keeps messages for hours.
 */
async function mayStillSend({ db }: Services, to: string, by: Author | undefined): Promise<boolean> {
  if (!by) return true;
  const rows = await db.run(sql`
    select 1 from users u where u.id = ${by.user_id} and ${isActive()}
      and not ${isNumberBlocked(sql`u.id`, to)} and not ${isMailBlocked(sql`u.id`, to)}
      and (${by.invite_id ?? null}::text is null or exists (
        select 1 from invites i where i.id = ${by.invite_id ?? null} and i.state = 'sent'))`);
  return rows > 0;
}

const sendLetter = job<Sealed>({
  name: 'delivery.letter',
  max_attempts: 8,
  lane: 'letters',
  async run({ sealed, by }, services) {
    const letter = services.secrets.unseal(sealed) as Letter;
    if (await mayStillSend(services, letter.to, by)) await services.mail.send(letter);
  },
});

const sendShortMessage = job<Sealed>({
  name: 'delivery.sms',
  max_attempts: 5,
  lane: 'letters',
  async run({ sealed, by }, services) {
    const message = services.secrets.unseal(sealed) as ShortMessage;
    if (await mayStillSend(services, message.to, by)) await services.sms.send(message);
  },
});

/** The jobs that send mails and text messages. */
export const delivery_jobs = [sendLetter, sendShortMessage];

/** A message of the service: a mail, or the text of an SMS. */
export type Message = { subject: string; text: string; links?: string[]; code?: string };

/** The number of queues of each kind; queue rows are never deleted, and are all scanned when a job is taken. */
const queues = 64;

/** One queue per address, so that its messages keep their order; the address itself is not stored. */
const queueOf = (kind: string, to: string) => `${kind}:${crc32(to) % queues}`;

/**
 * Sends a message to an address after the commit, after earlier ones to the same address.
 * @param by on whose behalf; omitted for a message of the service itself
 */
export function deliver(change: Change, channel: 'email' | 'sms', to: string, message: Message, by?: Author): void {
  const { subject, text, links = [], code } = message;
  const author = by && { by };
  const common = { id: change.id('out'), to, text, links, ...(code ? { code } : {}) };
  if (channel === 'email')
    change.enqueue(
      sendLetter,
      { sealed: change.services.secrets.seal({ ...common, subject }), ...author },
      { queue: queueOf('mail', to) },
    );
  else
    change.enqueue(
      sendShortMessage,
      { sealed: change.services.secrets.seal(common), ...author },
      { queue: queueOf('sms', to) },
    );
}

type Sending = {
  channel: 'email' | 'sms';
  to: string;
  ip: string;
  user_id?: string;
  /** A sign-in code requested with the right password: messages caused by others do not use up its budget. */
  by_password?: boolean;
};

/**
 * Consumes the budgets of a message that costs money: of its recipient, of the requesting address, of the account and,
 * for SMS, of the country.
 * @throws ApiError `rate_limited`
 */
export async function consumeMessageBudget(
  consume: (
    name: 'message_recipient' | 'sign_in_code' | 'message_ip' | 'message_account' | 'message_country',
    key: string,
  ) => Promise<void>,
  { channel, to, ip, user_id, by_password = false }: Sending,
): Promise<void> {
  await consume(by_password ? 'sign_in_code' : 'message_recipient', to);
  await consume('message_ip', ip);
  if (user_id) await consume('message_account', user_id);
  if (channel === 'sms') await consume('message_country', countryOf(to));
}
