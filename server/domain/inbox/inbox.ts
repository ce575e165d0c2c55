/** The inbox: what arrived for a person while they were away, from missed calls to videomail. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { job } from '../../kernel/job.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { File, fileJson, presentFile, detachFiles, type FileRow } from '../files/files.ts';
import { deliverPush, pushTo, type Addressed } from '../notifications/push.ts';
import { isActorVisible } from '../visibility/people.ts';
import { everyone, type Viewer } from '../visibility/viewer.ts';
import { i18nOf, type Language } from '../../kernel/language/i18n.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** The kinds of inbox messages. */
export const inbox_kinds = ['text', 'voicemail', 'videomail', 'missed_call', 'system'] as const;
/** The kind of an inbox message. */
export type InboxKind = (typeof inbox_kinds)[number];

export const InboxMessage = component(
  'InboxMessage',
  object({
    id: idOf('msg'),
    kind: oneOf(...inbox_kinds),
    from: object({ user: nullable(PublicUser), number: nullable(Type.String()), name: Type.String() }),
    body: Type.String(),
    file: nullable(File),
    transcript: nullable(Type.String({ description: 'The transcript, once available.' })),
    conference_id: nullable(idOf('conf')),
    read: Type.Boolean(),
    created_at: moment,
  }),
);

export const inboxMessage = event(
  'inbox.message',
  'An inbox message was created or changed.',
  object({ message: InboxMessage }),
);
export const inboxDeleted = event(
  'inbox.deleted',
  'Inbox messages were deleted.',
  object({ ids: Type.Array(idOf('msg'), { maxItems: default_limits.event_ids }) }),
);

/** The columns of an inbox message. */
export type InboxRow = {
  id: string;
  user_id: string;
  kind: InboxKind;
  from_number: string | null;
  /** Null once the sender's account is deleted. */
  from_name: string | null;
  from_user: PublicUserRow | null;
  body: string;
  file: FileRow | null;
  transcript: string | null;
  call_id: string | null;
  read_at: Date | null;
  created_at: Date;
};

/** The displayed name of a sender. */
function nameSender({ from_name }: InboxRow, language: Language): string {
  const i18n = i18nOf(language);
  return from_name ?? i18n.t('Deleted user');
}

/**
 * A message as its recipient sees it.
 * @param language of the reader; devices that receive it as an event fetch it in theirs
 */
export function presentInboxMessage(
  row: InboxRow,
  viewer: Viewer,
  language: Language = 'en',
): Static<typeof InboxMessage> {
  return {
    id: row.id,
    kind: row.kind,
    from: {
      user: row.from_user && presentUser(row.from_user, viewer),
      number: row.from_number,
      name: nameSender(row, language),
    },
    body: row.body,
    file: row.file && presentFile(row.file, viewer),
    transcript: row.transcript,
    conference_id: row.call_id,
    read: row.read_at !== null,
    created_at: wireTime(row.created_at),
  };
}

/** The messages `m` that a person may see: none from senders whom a block or a suspension hides. */
export const maySeeMessage = (user_id: string): Sql =>
  sql`m.user_id = ${user_id} and (m.from_user_id is null or ${isActorVisible(user_id, 'm.from_user_id')})`;

/** Messages `m` with all columns that are shown. */
export async function selectInbox(db: Queryable, which: Sql): Promise<InboxRow[]> {
  return db.many<InboxRow>(sql`
    select m.id, m.user_id, m.kind, m.from_number,
      case when u.deleted_at is null then m.from_name end as from_name, m.body, m.transcript, m.call_id, m.read_at, m.created_at,
      case when u.id is null or u.deleted_at is not null then null else ${publicUserJson('u')} end as from_user,
      case when fi.id is null then null else ${fileJson} end as file
    from inbox_messages m left join users u on u.id = m.from_user_id left join files fi on fi.id = m.file_id
    where ${which}`);
}

/** An inbox message before it is inserted. */
export type NewInboxMessage = {
  user_id: string;
  kind: InboxKind;
  from: { user_id: string | null; number?: string | null; name: string };
  body?: string;
  file_id?: string;
  call_id?: string;
  /** Delivered without a push notification. */
  quiet?: boolean;
};

/**
 * Delivers messages to inboxes, and notifies their owners on every device. A message about a call replaces an earlier
 * one about the same call.
 */
export async function deliverToInbox(change: Change, messages: NewInboxMessage[]): Promise<string[]> {
  const { db, now, id } = change;
  const ids: string[] = [];
  for (const one of messages) {
    const message_id = id('msg');
    ids.push(message_id);
    const replaced = one.call_id
      ? await db.many<{ id: string }>(
          sql`delete from inbox_messages where user_id = ${one.user_id} and call_id = ${one.call_id} returning id`,
        )
      : [];
    if (replaced.length > 0) {
      const gone = replaced.map((message) => message.id);
      await detachFiles(db, gone, now);
      change.emit(inboxDeleted, [`user:${one.user_id}`], { ids: gone });
    }
    await db.run(sql`
      insert into inbox_messages (id, user_id, kind, from_user_id, from_number, from_name, body, file_id, call_id, created_at)
      values (${message_id}, ${one.user_id}, ${one.kind}, ${one.from.user_id}, ${one.from.number ?? null}, ${one.from.name},
        ${one.body ?? ''}, ${one.file_id ?? null}, ${one.call_id ?? null}, ${now})`);
  }
  await emitInbox(change, ids);
  for (const [at, { user_id, kind, quiet }] of messages.entries()) {
    // The end of a ring already announces a missed call.
    if (kind === 'missed_call' || quiet) continue;
    const message_id = ids[at] ?? '';
    await pushTo(change, [user_id], {
      job: pushInbox,
      payload: { message_id },
      subject: { type: 'inbox', id: message_id },
    });
  }
  return ids;
}

/**
 * Delivers a notice of the service itself to an inbox; anything that requires action is announced in another way as
 * well.
 */
export async function deliverNotice(change: Change, user_id: string, body: string): Promise<void> {
  const from = { user_id: null, name: 'Asterism' };
  await deliverToInbox(change, [{ user_id, kind: 'system', from, body, quiet: true }]);
}

/** Sends the current state of messages to their owners. */
export async function emitInbox(change: Change, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const row of await selectInbox(change.db, sql`m.id = any(${ids}::text[])`)) {
    // A device fetches what it shows, so that the addresses of files end with its session.
    change.emit(inboxMessage, [`user:${row.user_id}`], { message: presentInboxMessage(row, everyone(change)) });
  }
}

const push_texts: Record<Exclude<InboxKind, 'missed_call'>, (from: string, body: string) => string> = {
  text: (from, body) => `${from}: ${body}`,
  voicemail: (from) => `${from} left you a voicemail`,
  videomail: (from) => `${from} sent you a videomail`,
  system: (_from, body) => body,
};

/** Notifies one device of a message, unless it is deleted, read or hidden meanwhile. */
export const pushInbox = job<{ message_id: string } & Addressed>({
  name: 'push.inbox',
  max_attempts: 4,
  lane: 'pushes',
  async run({ message_id, ...addressed }, services) {
    const [row] = await selectInbox(services.db, sql`m.id = ${message_id} and ${maySeeMessage(addressed.user_id)}`);
    if (!row || row.read_at || row.kind === 'missed_call') return;
    const from_name = nameSender(row, 'en');
    await deliverPush(services, addressed, {
      subject: { type: 'inbox', id: row.id },
      title: from_name,
      text: push_texts[row.kind](from_name, row.body),
      data: { type: 'inbox.message', kind: row.kind, url: `${services.public_url}/app/inbox` },
      urgent: false,
      ttl_s: 24 * 60 * 60,
    });
  },
});
