/** Pushes: enqueued with the change that causes them, one job a device, and looked at again when they are sent. */
import { createHash } from 'node:crypto';
import type { PushTarget } from '../../engines/ports.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Job } from '../../kernel/job.ts';
import type { Change, Services } from '../../kernel/services.ts';

export type { PushPlatform, PushTarget } from '../../engines/ports.ts';

/** The thing that a push would open; whoever looks at it needs none. */
export type Subject = { type: string; id: string };

/** The device that a job tells, by what stands of it in the database, and whose it was then. */
export type Addressed = { hash: string; user_id: string; push_id: string };

/** What a device is told, as things stand when it is sent. */
export type PushContent = {
  subject: Subject;
  title: string;
  text: string;
  /** What the text was made of, for devices that say it in another language; kept back together with it. */
  values?: Record<string, string>;
  data: Record<string, string>;
  urgent: boolean;
  /** Changes what a device shows, without a sound. */
  quiet?: boolean;
  ttl_s: number;
  /** Whose act wakes the device: once an hour for one subject, and not too often for all. Left out for calls and messages. */
  actor_id?: string;
  /** The guest of a widget who wakes the device. */
  guest_id?: string;
};

/** What a user looks at is kept under this key, for every device that does. */
export const focusKey = (user_id: string) => `looking:${user_id}`;
/** Who looks at a thing is kept under this key: accounts, each followed by a name of the connection. */
export const viewersKey = (member: string) => `viewers:${member.trimEnd()}`;
/** How a thing is named there, followed by a name of the connection. */
export const focusMember = ({ type, id }: Subject) => `${type}:${id} `;

/**
 * Tells all devices of some people, once the change has committed. A push that has not left is replaced by the next one
 * about the same thing, as it is on the device.
 */
export async function pushTo<P extends object>(
  change: Change,
  user_ids: string[],
  { job, payload, subject }: { job: Job<P & Addressed>; payload: P; subject: Subject },
): Promise<void> {
  if (user_ids.length === 0) return;
  const devices = await change.db.many<{ hash: string; user_id: string }>(
    sql`select hash, user_id from push_tokens where user_id = any(${user_ids}::text[])`,
  );
  for (const device of devices) {
    const addressed = { ...device, push_id: change.id('out') };
    change.enqueue(job, { ...payload, ...addressed }, { key: `push:${device.hash}:${topicOf(subject)}` });
  }
}

/**
 * Sends a push, unless its device or session is gone, has changed hands, or its owner looks at the thing somewhere. A
 * device that its push service no longer knows is forgotten.
 * @throws Error when another try makes sense
 */
export async function deliverPush(
  services: Services,
  { hash, user_id, push_id }: Addressed,
  content: PushContent,
): Promise<void> {
  const { db, clock, secrets, push } = services;
  const device = await db.maybe<{ sealed: string; push_text: boolean; username: string }>(sql`
    select p.sealed, u.push_text, u.username
    from push_tokens p join sessions se on se.id = p.session_id join users u on u.id = p.user_id
    where p.hash = ${hash} and p.user_id = ${user_id} and se.revoked_at is null and se.expires_at > ${clock.now()}
      and u.deleted_at is null and u.suspended_at is null`);
  if (!device || (await isLookedAt(services, user_id, content.subject))) return;
  const { subject, title, text, values, data, urgent, quiet = false, ttl_s, actor_id, guest_id } = content;
  const wake = actor_id === undefined ? undefined : wakeLimit(services, `${hash} ${actor_id}`, topicOf(subject));
  if (wake && !(await wake.isAllowed())) return;
  if (guest_id !== undefined && !(await mayGuestWake(services, hash, guest_id))) return;
  const sent = await push.send(secrets.unseal(device.sealed) as PushTarget, {
    id: push_id,
    to: device.username,
    topic: topicOf(subject),
    ...(device.push_text ? { title, text } : {}),
    data: { ...data, ...(device.push_text ? values : {}), subject_type: subject.type, subject_id: subject.id },
    urgent,
    quiet,
    ttl_s,
  });
  await wake?.record();
  if (sent === 'gone') await db.run(sql`delete from push_tokens where hash = ${hash} and sealed = ${device.sealed}`);
}

/** After one push by somebody about one subject, the next one waits for so long; what is told stands in the list all the same. */
const wake_pause_s = 3600;

/**
 * Limits how often the acts of one person wake a device. Recorded only after a push has left, so that one which failed
 * can be tried again.
 * @param pair device and actor
 */
function wakeLimit({ bus, clock, throttle }: Services, pair: string, topic: string) {
  const key = `pushed:${pair} ${topic}`;
  const isRecent = (at_ms: string) => clock.now().getTime() - Number(at_ms) < wake_pause_s * 1000;
  return {
    async isAllowed(): Promise<boolean> {
      // When the store is down, they are told.
      const pushed_at_ms = await bus.members(key).catch(() => []);
      return !pushed_at_ms.some(isRecent) && throttle.tryTake('push_actor', pair);
    },
    record: () => bus.touch(key, String(clock.now().getTime()), wake_pause_s * 1000).catch(() => undefined),
  };
}

/** Whether a guest of a widget may wake a device once more; what they write stands in the chat all the same. */
const mayGuestWake = async ({ throttle }: Services, hash: string, guest_id: string): Promise<boolean> =>
  (await throttle.tryTake('push_guest', `${hash} ${guest_id}`)) && throttle.tryTake('push_guests', hash);

/** Whether somebody looks at a thing on any device. When that cannot be told, they are told. */
async function isLookedAt({ bus }: Services, user_id: string, subject: Subject): Promise<boolean> {
  const looking = await bus.members(focusKey(user_id)).catch(() => []);
  return looking.some((member) => member.startsWith(focusMember(subject)));
}

/** The name under which push services replace one message by the next: 32 characters, the most that RFC 8030 allows. */
function topicOf({ type, id }: Subject): string {
  return createHash('sha256').update(`${type}:${id}`).digest('base64url').slice(0, 32);
}
