/**
 * What a receiver who catches up with missed events must no longer be sent: what was deleted or hidden, what was written by
 * people who are suspended, groups they left, and events of calendars and notifications that they no longer have.
 */
import { join, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { idPattern, type IdPrefix } from '../../kernel/id.ts';
import type { ReplayFilter } from '../../kernel/realtime/replay.ts';
import { maySeeEvent } from './calendar.ts';
import { mayOpenGroup } from './groups.ts';
import { isSuspended } from './people.ts';

const isShown = (author: string): Sql => sql`not ${isSuspended(author)}`;
const of_active = sql`c.deleted_at is null and ${isShown('c.author_id')}`;

/** The viewer has cleared message `c` of a thread, or of a group, for themselves. */
const isCleared = {
  dm: (viewer_id: string) => sql`exists (
    select from dm_members d where d.thread_id = c.thread_id and d.user_id = ${viewer_id} and d.cleared_up_to >= c.id)`,
  chat: (viewer_id: string) => sql`exists (
    select from group_chat_reads r where r.group_id = c.group_id and r.user_id = ${viewer_id} and r.cleared_up_to >= c.id)`,
};

/**
 * Content that can be deleted or hidden while the event about it is still stored: of each kind, where it is, alias `c`, as
 * long as a viewer may see it.
 */
const content: Partial<Record<IdPrefix, ((viewer_id: string) => Sql)[]>> = {
  dm: [
    (viewer_id) =>
      sql`dm_messages c where c.deleted_at is null and ${isShown('c.sender_id')} and not ${isCleared.dm(viewer_id)}`,
  ],
  chat: [
    (viewer_id) => sql`chat_messages c where ${of_active} and not ${isCleared.chat(viewer_id)}`,
    () => sql`call_messages c where ${of_active}`,
  ],
  msg: [() => sql`inbox_messages c where ${isShown('c.from_user_id')}`],
  post: [
    (viewer_id) => sql`statuses c left join tags t on t.id = c.tag_id
      where (c.author_id = ${viewer_id} and c.deleted_at is null
        or (c.hidden_at is null and t.hidden_at is null and ${isShown('c.author_id')}))`,
  ],
  reply: [
    () => sql`replies c join statuses s on s.id = c.status_id left join tags t on t.id = s.tag_id
      where c.hidden_at is null and s.hidden_at is null and t.hidden_at is null and ${isShown('c.author_id')}`,
  ],
  cmt: [
    () => sql`comments c join tags t on t.id = c.tag_id
      where c.hidden_at is null and t.hidden_at is null and ${isShown('c.author_id')}`,
  ],
};

/**
 * Finds identifiers in the text of an event where they are members of it. Not in what people wrote: a message could name
 * a hundred others, and one that names a group is not about that group. Quotation marks in texts are escaped.
 */
const patternOf = (members: string, prefixes: string[]) =>
  new RegExp(
    `"(?:${members})"\\s*:\\s*"(${prefixes.map((prefix) => idPattern(prefix as IdPrefix).slice(1, -1)).join('|')})"`,
    'g',
  );
const contents = patternOf('id|message_id', Object.keys(content));
const groups = patternOf('id|group_id', ['grp']);

const findIds = ({ data }: Pick<Missed, 'data'>, pattern: RegExp): string[] =>
  Array.from(data.matchAll(pattern), ([, id = '']) => id);

/** What an event is about as a whole: it is omitted once its receiver may not see that, which is in the table, any more. */
const omitted = {
  evt: {
    types: /^calendar\.changed$/,
    select: (viewer_id: string) => sql`
      select e.id from calendar_events e join users u on u.id = e.owner_id where ${maySeeEvent(viewer_id)}`,
  },
  note: {
    types: /^notification\.(?:created|updated)$/,
    select: (viewer_id: string) =>
      sql`select n.id from notifications n where n.user_id = ${viewer_id} and not n.hidden`,
  },
} as const;
const omitted_kinds = Object.entries(omitted).map(([prefix, kind]) => ({
  ...kind,
  pattern: patternOf('id', [prefix]),
}));

/** Events about a group itself. Others may name one to people who are not its members, such as those of calls. */
const of_group = /^(?:chat\.|group\.updated$|room\.)/;
/** In a notification: that its subject is a group, which only members are notified of. */
const is_subject_group = '"subject":{"type":"group",';

type Missed = Parameters<ReplayFilter>[1][number];

const isOfGroup = ({ type, data }: Pick<Missed, 'type' | 'data'>): boolean =>
  of_group.test(type) || (type.startsWith('notification.') && data.includes(is_subject_group));

/** Events about a single message of a thread or a group. */
const of_message = /^(?:dm\.message|chat\.(?:message|edited|reaction|deleted|pinned))$/;

type Withdrawn = { id: string; is_cleared: boolean };

/** Whether the user has cleared message `named` for themselves, where that is possible. */
function isNamedCleared(prefix: string, user_id: string): Sql {
  if (prefix !== 'dm' && prefix !== 'chat') return sql`false`;
  const from = prefix === 'dm' ? sql`dm_messages c` : sql`chat_messages c`;
  return sql`exists (select from ${from} where c.id = named.id and ${isCleared[prefix](user_id)})`;
}

/** Which of these messages, statuses, replies and comments were deleted, are hidden from a user, or were cleared by them. */
async function selectWithdrawn(db: Queryable, user_id: string, ids: string[]): Promise<Withdrawn[]> {
  const parts = Object.entries(content).flatMap(([prefix, places]) => {
    const of_kind = ids.filter((id) => id.startsWith(`${prefix}_`));
    const exists = places.map((place) => sql`exists (select 1 from ${place(user_id)} and c.id = named.id)`);
    return of_kind.length === 0
      ? []
      : [
          sql`select id, ${isNamedCleared(prefix, user_id)} as is_cleared from unnest(${of_kind}::text[]) as named (id)
            where not (${join(exists, ' or ')})`,
        ];
  });
  return db.many<Withdrawn>(join(parts, ' union all '));
}

/** Which of these groups a user is no longer in; an open invite to come back does not bring anything back. */
async function selectLeft(db: Queryable, user_id: string, ids: string[]): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id from unnest(${ids}::text[]) as named (id)
    where not exists (
      select 1 from groups g join users u on u.id = g.owner_id where g.id = named.id and ${mayOpenGroup(user_id)})`);
  return rows.map(({ id }) => id);
}

/** Omits the events about what the user can no longer see. */
async function omitGone(db: Queryable, user_id: string, events: Missed[]): Promise<Missed[]> {
  const gone = new Set<string>();
  for (const { types, select, pattern } of omitted_kinds) {
    const ids = [...new Set(events.filter(({ type }) => types.test(type)).flatMap((event) => findIds(event, pattern)))];
    if (ids.length === 0) continue;
    const rows = await db.many<{ id: string }>(sql`
      select id from unnest(${ids}::text[]) as named (id)
      where not exists (select 1 from (${select(user_id)}) as seen where seen.id = named.id)`);
    for (const { id } of rows) gone.add(id);
  }
  if (gone.size === 0) return events;
  return events.filter((event) => {
    const kind = omitted_kinds.find(({ types }) => types.test(event.type));
    return !kind || !findIds(event, kind.pattern).some((id) => gone.has(id));
  });
}

/**
 * Blanks deleted and hidden content in missed events, and omits the events of messages that the user has cleared, of groups
 * that they have left, and of what they can no longer see.
 */
export const createReplayFilter =
  (db: Queryable): ReplayFilter =>
  async (user_id, missed_events) => {
    const events = await omitGone(db, user_id, missed_events);
    const named = (pattern: RegExp, some = events) => [...new Set(some.flatMap((event) => findIds(event, pattern)))];
    const content_ids = named(contents);
    const group_ids = named(groups, events.filter(isOfGroup));
    const [withdrawn, left] = await Promise.all([
      content_ids.length > 0 ? selectWithdrawn(db, user_id, content_ids) : [],
      group_ids.length > 0 ? selectLeft(db, user_id, group_ids) : [],
    ]);
    const is_withdrawn = new Set(withdrawn.map(({ id }) => id));
    const cleared = new Set(withdrawn.filter(({ is_cleared }) => is_cleared).map(({ id }) => id));
    const is_left = new Set(left);
    return events
      .filter((event) => !of_message.test(event.type) || !findIds(event, contents).some((id) => cleared.has(id)))
      .filter((event) => !isOfGroup(event) || !findIds(event, groups).some((id) => is_left.has(id)))
      .map((event) =>
        findIds(event, contents).some((id) => is_withdrawn.has(id))
          ? { ...event, data: JSON.stringify(blank(JSON.parse(event.data), is_withdrawn)) }
          : event,
      );
  };

/** A copy in which withdrawn messages and statuses, also those that are quoted, have neither text nor files. */
function blank(value: unknown, withdrawn: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => blank(one, withdrawn));
  if (typeof value !== 'object' || value === null) return value;
  const { id, message_id } = value as { id?: unknown; message_id?: unknown };
  const is_withdrawn = [id, message_id].some((one) => typeof one === 'string' && withdrawn.has(one));
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    is_withdrawn && name in erased_members ? erased_members[name] : blank(member, withdrawn),
  ]);
  return Object.fromEntries(entries) as unknown;
}

const erased_members: Record<string, unknown> = {
  body: '',
  media: [],
  file: null,
  files: [],
  mentions: [],
  edits: [],
  transcript: null,
};
