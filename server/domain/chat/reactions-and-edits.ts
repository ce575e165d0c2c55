/** Reactions and edits, the same in every chat. */
import { raw, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { isId } from '../../kernel/id.ts';
import {
  component,
  idOf,
  moment,
  nullable,
  object,
  optional,
  text,
  Type,
  visibleText,
  type Static,
} from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';

/** The tables of a message: `dm` those of threads, `chat` those of groups and widgets, `call` those of calls. */
export type MessageFamily = 'dm' | 'chat' | 'call';

export const Reaction = component(
  'Reaction',
  object({
    emoji: Type.String(),
    user_id: optional(idOf('usr')),
    guest_id: optional({ ...idOf('gst'), description: 'Instead of `user_id`, for a guest without an account.' }),
  }),
);
export type Reaction = Static<typeof Reaction>;

const max_reactions = default_limits.group_members + 1;

/** The reactions to one message: one per person, so that the size of a group limits them. */
export const Reactions = Type.Array(Reaction, {
  maxItems: max_reactions,
  description: `One per person, oldest first; at most ${max_reactions}.`,
});

/** The new text of a message in a request. */
export const EditBody = object({ body: visibleText(1, 4000) });

/** A reaction in a request. */
export const ReactionBody = object({
  emoji: nullable({ ...text(1, 40), description: 'One emoji; null removes your reaction.' }),
});

const MessageEdit = component(
  'MessageEdit',
  object({ body: Type.String({ description: 'The text until this edit.' }), replaced_at: moment }),
);

/** The earlier versions of a message. */
export const MessageEdits = object({
  items: Type.Array(MessageEdit, {
    maxItems: default_limits.message_edits,
    description: 'Oldest first: the original version, and the latest of the later ones.',
  }),
});

/** One emoji as people see it, of any number of code points (Unicode Technical Standard 51, RGI set). */
const one_emoji = new RegExp('^\\p{RGI_Emoji}$', 'v');

/** @throws ApiError `validation_failed` that names `emoji` */
export function requireEmoji(emoji: string | null): void {
  if (emoji !== null && !one_emoji.test(emoji)) invalid({ emoji: 'must be one emoji' });
}

const author_members = { dm: sql`'user_id', r.user_id`, others: sql`'user_id', r.user_id, 'guest_id', r.guest_id` };

/** The reactions to message `m` as a JSON list. @param which excludes reactions `r` that a viewer may not see */
export const reactionsJson = (
  family: MessageFamily,
  which: Sql = sql`true`,
): Sql => sql`case when not m.has_reactions then '[]'::json else (
  select coalesce(json_agg(one.reaction order by one.created_at, one.author_id), '[]') from (
    select json_strip_nulls(json_build_object('emoji', r.emoji, ${family === 'dm' ? author_members.dm : author_members.others})) as reaction,
      r.created_at, ${family === 'dm' ? sql`r.user_id` : sql`r.reactor_id`} as author_id
    from ${raw(`${family}_reactions`)} r where r.message_id = m.id and ${which}
    order by r.created_at, author_id limit ${max_reactions}::int) one) end`;

/**
 * Sets or removes a reaction to a message.
 * @param user_or_guest_id who reacts: an account, or in calls and widgets a guest
 * @returns whether that is a change
 */
export async function setReaction(
  { db, now }: Pick<Change, 'db' | 'now'>,
  family: MessageFamily,
  { message_id, user_or_guest_id, emoji }: { message_id: string; user_or_guest_id: string; emoji: string | null },
): Promise<boolean> {
  const reactions = raw(`${family}_reactions`);
  const who = raw(isId('gst', user_or_guest_id) ? 'guest_id' : 'user_id');
  const changed = await db.run(
    emoji === null
      ? sql`delete from ${reactions} where message_id = ${message_id} and ${who} = ${user_or_guest_id}`
      : sql`insert into ${reactions} as r (message_id, ${who}, emoji, created_at)
          values (${message_id}, ${user_or_guest_id}, ${emoji}, ${now})
          on conflict on constraint ${raw(`${family}_reactions_pkey`)}
            do update set emoji = excluded.emoji where r.emoji <> excluded.emoji`,
  );
  return changed > 0;
}

/** @throws ApiError `edit_closed` for messages that are too old to be edited */
export function requireEditable(created_at: string | Date, now: Date): void {
  if (now.getTime() - new Date(created_at).getTime() > default_limits.message_edit_s * 1000) fail('edit_closed');
}

/**
 * Changes the text of a message and stores the earlier version; above `message_edits`, the first and the latest are
 * kept.
 */
export async function editText(
  { db, now }: Pick<Change, 'db' | 'now'>,
  family: MessageFamily,
  { id, body: before }: { id: string; body: string },
  body: string,
): Promise<void> {
  const edits = raw(`${family}_edits`);
  await db.run(sql`
    with said as (
      insert into ${edits} (message_id, number, body, replaced_at)
      select ${id}, coalesce((select max(number) + 1 from ${edits} where message_id = ${id}), 0), ${before}, ${now}
      returning number),
    dropped as (
      delete from ${edits} e using said where e.message_id = ${id} and e.number > 0
        and e.number <= said.number - ${default_limits.message_edits - 1}::int)
    update ${raw(`${family}_messages`)} set body = ${body}, edited_at = ${now} where id = ${id}`);
}

/** The earlier versions of a message, oldest first. */
export async function selectEdits(
  db: Queryable,
  family: MessageFamily,
  message_id: string,
): Promise<Static<typeof MessageEdit>[]> {
  const rows = await db.many<{ body: string; replaced_at: Date }>(sql`
    select body, replaced_at from ${raw(`${family}_edits`)} where message_id = ${message_id} order by number`);
  return rows.map(({ body, replaced_at }) => ({ body, replaced_at: wireTime(replaced_at) }));
}

/** Deletes the reactions and earlier versions of a deleted message. */
export async function deleteReactionsAndEdits(db: Queryable, family: MessageFamily, message_id: string): Promise<void> {
  await Promise.all([
    db.run(sql`delete from ${raw(`${family}_edits`)} where message_id = ${message_id}`),
    db.run(sql`delete from ${raw(`${family}_reactions`)} where message_id = ${message_id}`),
  ]);
}

/** Deletes the reactions of a deleted account. @returns whether there are more than `portion` */
export async function deleteReactionsOf(
  db: Queryable,
  family: MessageFamily,
  user_id: string,
  portion: number,
): Promise<boolean> {
  const reactions = raw(`${family}_reactions`);
  const gone = await db.run(sql`
    delete from ${reactions} where user_id = ${user_id} and message_id = any(array(
      select message_id from ${reactions} where user_id = ${user_id} order by message_id limit ${portion}::int))`);
  return gone >= portion;
}
