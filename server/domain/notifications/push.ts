/**
 * Push notifications: enqueued with the change that causes them, one job per device, and rendered when they are sent.
 */
import { createHash } from 'node:crypto';
import type { PushTarget } from '../../engines/ports.ts';
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { Job } from '../../kernel/job.ts';
import type { Change, Services } from '../../kernel/services.ts';
import type { ViewerId } from '../visibility/viewer.ts';
import { isActive } from '../visibility/people.ts';

export type { PushPlatform, PushTarget } from '../../engines/ports.ts';

/** What a push opens; the push is suppressed while its recipient is viewing that. */
export type Subject = { type: string; id: string };

/** The device of a push job, as stored, and its owner at that time. */
export type Addressed = { hash: string; user_id: string; push_id: string };

type Device = Pick<Addressed, 'hash' | 'user_id'>;

/** The job that sends a push to a device, without the device. */
type Push<P extends object> = { job: Job<P & Addressed>; payload: P; subject: Subject };

/** The content of a push, rendered when it is sent. */
export type PushContent = {
  subject: Subject;
  title: string;
  text: string;
  /** The values in the text, for devices that translate it; omitted together with the text. */
  values?: Record<string, string>;
  data: Record<string, string>;
  urgent: boolean;
  /** Updates what a device shows, without a sound. */
  quiet?: boolean;
  ttl_s: number;
  /** Whose act alerts the device: limited to once an hour per subject, and in total. Omitted for calls and messages. */
  actor_id?: string;
  /** The widget guest who alerts the device. */
  guest_id?: string;
};

/** The bus key of what a user is viewing, on any device. */
export const focusKey = (user_id: string) => `focus:${user_id}`;
/** The bus key of the viewers of a subject: accounts, each followed by a connection name. */
export const viewersKey = (member: string) => `viewers:${member.trimEnd()}`;
/** How a subject is named in these sets, followed by a connection name. */
export const focusMember = ({ type, id }: Subject) => `${type}:${id} `;

/**
 * Notifies all devices of some people after the commit. A queued push is replaced by the next one about the same
 * subject, as on the device.
 */
export async function pushTo<P extends object>(change: Change, user_ids: string[], push: Push<P>): Promise<void> {
  if (user_ids.length === 0) return;
  const devices = await change.db.many<Device>(
    sql`select hash, user_id from push_tokens where user_id = any(${user_ids}::text[])`,
  );
  pushToDevices(change, devices, push);
}

/** Notifies devices after the commit, like `pushTo`, for a caller who has read the devices already. */
export function pushToDevices<P extends object>(
  { enqueue, id }: Pick<Change, 'enqueue' | 'id'>,
  devices: Device[],
  { job, payload, subject }: Push<P>,
): void {
  for (const device of devices) {
    const addressed = { ...device, push_id: id('out') };
    enqueue(job, { ...payload, ...addressed }, { key: `push:${device.hash}:${topicOf(subject)}` });
  }
}

/** The devices of a person, in a fixed order. @param user_id a column or a parameter */
export const devicesOf = (user_id: ViewerId): Sql =>
  sql`array(select hash::text from push_tokens where user_id = ${user_id} order by hash)`;

/**
 * Sends a push, unless the device or session is gone, the device has another owner, or its owner is viewing the
 * subject. A device that its push service no longer knows is deleted.
 * @throws Error when a retry makes sense
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
      and ${isActive()}`);
  if (!device || (await isViewing(services, user_id, content.subject))) return;
  const { subject, title, text, values, data, urgent, quiet = false, ttl_s, actor_id, guest_id } = content;
  const wake = actor_id === undefined ? undefined : alertLimit(services, `${hash} ${actor_id}`, topicOf(subject));
  if (wake && !(await wake.isAllowed())) return;
  if (guest_id !== undefined && !(await mayGuestAlert(services, hash, guest_id))) return;
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

/** The minimum interval between pushes caused by one person about one subject; the notification list has them all. */
const wake_pause_s = 3600;

/**
 * Limits how often one person's acts alert a device. Counted only after a push was sent, so that a failed one can be
 * retried.
 * @param pair device and actor
 */
function alertLimit({ bus, clock, throttle }: Services, pair: string, topic: string) {
  const key = `pushed:${pair} ${topic}`;
  const isRecent = (at_ms: string) => clock.now().getTime() - Number(at_ms) < wake_pause_s * 1000;
  return {
    async isAllowed(): Promise<boolean> {
      // When the store is down, the push is sent.
      const pushed_at_ms = await bus.members(key).catch(() => []);
      return !pushed_at_ms.some(isRecent) && throttle.tryConsume('push_actor', pair);
    },
    record: () => bus.touch(key, String(clock.now().getTime()), wake_pause_s * 1000).catch(() => undefined),
  };
}

/** Whether a widget guest may alert the device again; their messages are in the chat in any case. */
const mayGuestAlert = async ({ throttle }: Services, hash: string, guest_id: string): Promise<boolean> =>
  (await throttle.tryConsume('push_guest', `${hash} ${guest_id}`)) && throttle.tryConsume('push_guests', hash);

/** Whether a user is viewing a subject on any device; false when that is unknown. */
async function isViewing({ bus }: Services, user_id: string, subject: Subject): Promise<boolean> {
  const focus = await bus.members(focusKey(user_id)).catch(() => []);
  return focus.some((member) => member.startsWith(focusMember(subject)));
}

/** The topic by which push services replace an earlier message: 32 characters, the maximum of RFC 8030. */
function topicOf({ type, id }: Subject): string {
  return createHash('sha256').update(`${type}:${id}`).digest('base64url').slice(0, 32);
}
