/** Personal chat settings: muted, archived, pinned, marked as unread. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import {
  component,
  expected_key,
  idOf,
  moment,
  nullable,
  object,
  optional,
  Type,
  type Static,
} from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { mayOpenGroup } from '../visibility/groups.ts';
import { maySeeThread } from '../visibility/threads.ts';

export const ChatSettings = component(
  'ChatSettings',
  object({
    muted_until: nullable(moment, {
      description: 'Until then the chat sends no pushes and is not counted as unread elsewhere.',
    }),
    archived: Type.Boolean({ description: 'Hidden from the list until a new message arrives while it is not muted.' }),
    pinned: Type.Boolean({ description: 'First in the list.' }),
    pinned_at: nullable(moment, { description: 'The latest pin comes first.' }),
    marked_unread: Type.Boolean({ description: 'Until the chat is read; it does not change what is counted.' }),
  }),
);

/** The changed settings in a request. */
export const SettingsBody = object({
  muted_until: optional(
    nullable({
      ...moment,
      description: 'A time in the future; 9999-12-31T23:59:59Z for good. Null unmutes.',
      [expected_key]: 'a time in the future',
    }),
  ),
  archived: optional(Type.Boolean({ description: 'An archived chat is no longer pinned.' })),
  pinned: optional(Type.Boolean({ description: 'A pinned chat is no longer archived.' })),
  marked_unread: optional(Type.Boolean({ description: 'As a reminder to yourself, until it is read.' })),
});

export const chatSettings = event(
  'chat.settings',
  'You muted, archived, pinned or marked a group chat on one of your devices.',
  object({ group_id: idOf('grp'), settings: ChatSettings }),
);

/** A person's settings of a chat. */
export type SettingsRow = {
  muted_until: Date | null;
  archived: boolean;
  pinned_at: Date | null;
  marked_unread: boolean;
};

/** The settings of a chat as their owner sees them; an expired mute is omitted. */
export function presentSettings(
  { muted_until, archived, pinned_at, marked_unread }: SettingsRow,
  now: Date,
): Static<typeof ChatSettings> {
  const is_muted = muted_until !== null && muted_until > now;
  return {
    muted_until: is_muted ? wireTime(muted_until) : null,
    archived,
    pinned: pinned_at !== null,
    pinned_at: pinned_at && wireTime(pinned_at),
    marked_unread,
  };
}

/** The default settings. */
export const no_settings: SettingsRow = { muted_until: null, archived: false, pinned_at: null, marked_unread: false };

/** Assigns settings to a row with the columns of `SettingsRow`; `alias` is its table. */
export function assignSettings(
  { muted_until, archived, pinned, marked_unread }: Static<typeof SettingsBody>,
  now: Date,
  alias: Sql,
): Sql {
  const has_until = muted_until !== undefined;
  return sql`
    muted_until = case when ${has_until}::boolean then ${muted_until ?? null}::timestamptz else ${alias}.muted_until end,
    archived = coalesce(${archived ?? null}::boolean, case when ${pinned ?? false}::boolean then false end, ${alias}.archived),
    pinned_at = case when ${archived ?? false}::boolean then null when ${pinned ?? null}::boolean is null then ${alias}.pinned_at
      when ${pinned ?? false}::boolean then coalesce(${alias}.pinned_at, ${now}::timestamptz) end,
    marked_unread = coalesce(${marked_unread ?? null}::boolean, ${alias}.marked_unread)`;
}

/** Whether a chat stays archived on a new message: only when it is muted. */
export const stillArchived = (now: Date, alias: Sql): Sql =>
  sql`${alias}.archived and coalesce(${alias}.muted_until > ${now}::timestamptz, false)`;

/**
 * @throws ApiError `validation_failed` for settings that contradict each other, and for a mute that ends in the past
 */
export function requireSettings({ muted_until, archived, pinned }: Static<typeof SettingsBody>, now: Date): void {
  if (archived === true && pinned === true) invalid({ pinned: 'cannot be set together with archived' });
  if (muted_until == null) return;
  const until = new Date(muted_until);
  if (Number.isNaN(until.getTime()) || until <= now) invalid({ muted_until: 'must be in the future' });
}

/**
 * Enforces the limit of pinned chats. It locks their owner's list until the end of the transaction, so that concurrent
 * pins are counted.
 * @param chat_id the chat to be pinned, which is not counted
 * @throws ApiError `limit_reached`
 */
export async function requireRoomForPin(db: Queryable, user_id: string, chat_id: string): Promise<void> {
  const [, { count }] = await Promise.all([
    db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`pins ${user_id}`}, 0))`),
    db.one<{ count: number }>(sql`
      select (
        (select count(*) from dm_members d join users u on u.id = d.peer_id
          where d.pinned_at is not null and d.thread_id <> ${chat_id} and ${maySeeThread(user_id)}) +
        (select count(*) from group_chat_reads r join groups g on g.id = r.group_id join users u on u.id = g.owner_id
          where r.user_id = ${user_id} and r.pinned_at is not null and r.group_id <> ${chat_id} and ${mayOpenGroup(user_id)})
      )::int as count`),
  ]);
  const max = default_limits.pinned_chats;
  if (count >= max) fail('limit_reached', { message: `You can pin ${max} chats. Unpin one first.` });
}
