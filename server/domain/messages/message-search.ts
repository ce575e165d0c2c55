/** Search over what somebody can read of threads and groups, from their own chats and no others. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { default_limit, type Page } from '../../kernel/page.ts';
import { component, idOf, nullable, object, Type, type Static } from '../../kernel/schema.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { ChatMessage, messageJson, presentMessage, type MessageRow } from '../chat/messages.ts';
import { mayOpenGroup, mayReadGroupMessage } from '../visibility/groups.ts';
import { maySeeThread } from '../visibility/threads.ts';
import { one_by_one, type Viewer } from '../visibility/viewer.ts';
import { DirectMessage, directMessageJson, presentDirectMessage, type DirectMessageRow } from './threads.ts';

export const FoundMessage = component(
  'FoundMessage',
  object({
    id: Type.String({ description: 'Of the message.' }),
    thread: nullable(object({ id: idOf('thr'), peer: PublicUser })),
    group: nullable(object({ id: idOf('grp'), name: Type.String() })),
    direct_message: nullable(DirectMessage, { description: 'What was found in a thread.' }),
    group_message: nullable(ChatMessage, { description: 'What was found in a group.' }),
  }),
);

export type FoundRow = {
  id: string;
  chat_id: string;
  peer: PublicUserRow | null;
  group_name: string | null;
  direct: DirectMessageRow | null;
  chat: MessageRow | null;
};

export type MessageQuery = Page & { q: string; thread_id?: string; group_id?: string };

const placeOf = (id: string) => id.slice(id.indexOf('_') + 1);

/** The threads `id` in which the viewer searches: one that they see, or those of their list. */
function threadsOf(viewer_id: string, { thread_id, group_id }: MessageQuery): Sql {
  const which =
    thread_id !== undefined
      ? sql`d.thread_id = ${thread_id}`
      : group_id !== undefined
        ? sql`false`
        : sql`d.folder in ('main', 'requests')`;
  return sql`
    select d.thread_id as id, d.peer_id from dm_members d
      cross join lateral (select o.* from users o where o.id = d.peer_id ${one_by_one}) u
    where ${which} and ${maySeeThread(viewer_id)}`;
}

/** The groups `id` in which the viewer searches. */
function groupsOf(viewer_id: string, { thread_id, group_id }: MessageQuery): Sql {
  const which = group_id !== undefined ? sql`g.id = ${group_id}` : thread_id === undefined ? sql`true` : sql`false`;
  return sql`
    select g.id, g.name from (
      select id from groups where owner_id = ${viewer_id} and deleted_at is null
      union all
      select group_id from group_invites where user_id = ${viewer_id} and state = 'accepted') mine
      cross join lateral (select o.* from groups o where o.id = mine.id ${one_by_one}) g
      cross join lateral (select o.* from users o where o.id = g.owner_id ${one_by_one}) u
    where ${which} and ${mayOpenGroup(viewer_id)}`;
}

/**
 * The newest messages that hold every word of a text, or a word that begins with it, as a page with one row more than
 * asked for: in the threads that the viewer's lists show, and in the groups that they are in.
 */
export function findMessages(db: Queryable, viewer_id: string, query: MessageQuery): Promise<FoundRow[]> {
  const most = (query.limit ?? default_limit) + 1;
  const offset = query.offset ?? 0;
  const olderThan = (prefix: string) =>
    query.before_id === undefined ? sql`` : sql`and m.id < ${`${prefix}_${placeOf(query.before_id)}`}`;
  // Ordered by an expression, so that the order of the identifiers' own index is no way to look for words by. Messages are
  // looked at for who may read them in that order, until there are enough: `offset 0` keeps the planner from doing it before.
  return db.many<FoundRow>(sql`
    with asked as materialized (
      select string_agg('''#:' || word || ''':*', ' & ') as words from unnest(folded_words(${query.q})) as word),
    threads as materialized (${threadsOf(viewer_id, query)}),
    joined as materialized (${groupsOf(viewer_id, query)}),
    page as (
      select f.id, p.id as chat_id, p.peer_id, null as group_name from asked cross join threads p
        cross join lateral (
          select m.id from dm_messages m
          where words_in(m.thread_id, folded_words(m.body)) @@ replace(asked.words, '#', p.id)::tsquery and m.deleted_at is null
            ${olderThan('dm')}
          order by m.id || '' desc limit ${most + offset}) f
      union all
      select f.id, p.id, null, p.name from asked cross join joined p
        cross join lateral (
          select m.id from (
            select * from chat_messages m
            where words_in(m.group_id, folded_words(m.body)) @@ replace(asked.words, '#', p.id)::tsquery and m.deleted_at is null
              and m.group_id is not null ${olderThan('chat')}
            order by m.id || '' desc offset 0) m
          where ${mayReadGroupMessage(viewer_id)} limit ${most + offset}) f),
    listed as (select * from page order by substr(id, strpos(id, '_') + 1) desc limit ${most} offset ${offset})
    select l.id, l.chat_id, l.group_name, (select ${publicUserJson('u')} from users u where u.id = l.peer_id) as peer,
      (select ${directMessageJson} from dm_messages m join users sender on sender.id = m.sender_id
        where m.id = l.id and l.peer_id is not null) as direct,
      (select ${messageJson(viewer_id)} from chat_messages m where m.id = l.id and l.peer_id is null) as chat
    from listed l order by substr(l.id, strpos(l.id, '_') + 1) desc`);
}

/** What was found, with the chat that it stands in. */
export function presentFound(row: FoundRow, viewer: Viewer): Static<typeof FoundMessage> {
  const { id, chat_id, peer, group_name, direct, chat } = row;
  return {
    id,
    thread: peer && { id: chat_id, peer: presentUser(peer, viewer.services.public_url) },
    group: group_name === null ? null : { id: chat_id, name: group_name },
    direct_message: direct && presentDirectMessage(direct, viewer),
    group_message: chat && presentMessage(chat, viewer),
  };
}
