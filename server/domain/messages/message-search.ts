/** Message search, limited to the viewer's own chats. */
import { join, sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { invalid } from '../../kernel/errors.ts';
import { idPattern } from '../../kernel/id.ts';
import { default_limit, type Page } from '../../kernel/page.ts';
import { component, idOf, moment, nullable, object, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { callMessageJson } from '../chat/call-chat.ts';
import { ChatGuest, ChatMessage, guestJson, messageJson, presentMessage, type MessageRow } from '../chat/messages.ts';
import { mayReadTranscriptMessage } from '../visibility/calls.ts';
import { couldReadGroupMessage } from '../visibility/groups.ts';
import { isActorVisible } from '../visibility/people.ts';
import { mayReadWidgetMessage } from '../visibility/widgets.ts';
import type { Viewer } from '../visibility/viewer.ts';
import {
  chatsOf,
  limitsInCall,
  limitsInGroup,
  limitsInWidget,
  limitsInThread,
  pageOfPart,
  type Part,
  type SearchedKind,
} from './search-pages.ts';
import { searchedChats } from './searched-chats.ts';
import { DirectMessage, directMessageJson, presentDirectMessage, type DirectMessageRow } from './direct-messages.ts';

/** The maximum of participants named with a call. */
const max_names = 3;

const FoundCall = component(
  'FoundCall',
  object({
    conference_id: idOf('conf'),
    join_code: Type.String(),
    started_at: moment,
    names: Type.Array(Type.String(), {
      maxItems: max_names,
      description: `The first ${max_names} other participants.`,
    }),
  }),
);

const FoundWidget = component(
  'FoundWidget',
  object({
    id: idOf('wid'),
    title: Type.String(),
    tag_name: Type.String(),
    guest: nullable(ChatGuest, { description: 'The guest of the conversation; null for a notice to all guests.' }),
  }),
);

export const FoundMessage = component(
  'FoundMessage',
  object({
    id: Type.String({ pattern: `${idPattern('dm')}|${idPattern('chat')}`, description: 'Of the message.' }),
    thread: nullable(object({ id: idOf('thr'), peer: PublicUser })),
    group: nullable(object({ id: idOf('grp'), name: Type.String() })),
    call: nullable(FoundCall),
    widget: nullable(FoundWidget),
    direct_message: nullable(DirectMessage, { description: 'A match in a thread.' }),
    group_message: nullable(ChatMessage, { description: 'A match in a group.' }),
    call_message: nullable(ChatMessage, { description: 'A match in a call.' }),
    widget_message: nullable(ChatMessage, { description: 'A match in a widget.' }),
  }),
);

type CallNameRow = { join_code: string; started_at: string; names: string[] };

/** A found message and its chat. */
export type FoundRow = {
  id: string;
  chat_id: string;
  kind: SearchedKind;
  peer: PublicUserRow | null;
  group_name: string | null;
  call: CallNameRow | null;
  widget: Omit<Static<typeof FoundWidget>, 'id'> | null;
  direct: DirectMessageRow | null;
  chat: MessageRow | null;
};

/** The chat to search; by default threads and groups, and with `all_chats` calls and widgets as well. */
export type MessageQuery = Page & {
  q: string;
  thread_id?: string;
  group_id?: string;
  conference_id?: string;
  widget_id?: string;
  guest_id?: string;
  all_chats?: boolean;
};

const chat_names = ['thread_id', 'group_id', 'conference_id', 'widget_id'] as const;

/** @throws ApiError `validation_failed` for more than one chat */
export function requireOneChat(query: MessageQuery): void {
  const [one, other] = chat_names.filter((name) => query[name] !== undefined);
  if (one !== undefined && other !== undefined) invalid({ [one]: `cannot be used together with ${other}` });
  if (query.guest_id !== undefined && query.widget_id === undefined)
    invalid({ guest_id: 'can only be used together with widget_id' });
}

const sortKeyOf = (id: string) => id.slice(id.indexOf('_') + 1);

/** The kinds of chats to search. */
function partsOf(viewer_id: string, query: MessageQuery): Part[] {
  const named = chat_names.find((name) => query[name] !== undefined);
  const is_asked = (name: (typeof chat_names)[number], unless_named: boolean) =>
    named === undefined ? unless_named : named === name;
  const { guest_id, all_chats = false } = query;
  const chats = searchedChats(viewer_id, query);
  const parts: (Part | false)[] = [
    is_asked('thread_id', true) && {
      kind: 'thread',
      chats: chats.threads,
      may_read: sql`true`,
      limits: limitsInThread(viewer_id),
    },
    is_asked('group_id', true) && {
      kind: 'group',
      chats: chats.groups,
      may_read: couldReadGroupMessage(viewer_id),
      limits: limitsInGroup(viewer_id),
    },
    is_asked('conference_id', all_chats) && {
      kind: 'call',
      chats: chats.calls,
      may_read: mayReadTranscriptMessage(viewer_id),
      limits: limitsInCall(viewer_id),
    },
    is_asked('widget_id', all_chats) && {
      kind: 'widget',
      chats: chats.widgets,
      may_read: mayReadWidgetMessage(viewer_id),
      limits: limitsInWidget(viewer_id, guest_id),
    },
  ];
  return parts.filter((part) => part !== false);
}

/** The names shown for a call. */
const callNameJson = (viewer_id: string): Sql => sql`(
  select json_build_object('join_code', c.join_code, 'started_at', c.started_at, 'names', (
    select coalesce(json_agg(one.name), '[]') from (
      select p.name from call_participants p
      where p.call_id = c.id and p.phone is null and p.user_id is distinct from ${viewer_id} and p.joined_at is not null
        and (p.user_id is null or ${isActorVisible(viewer_id, 'p.user_id')})
      order by p.id limit ${max_names}::int) one))
  from calls c where c.id = l.chat_id)`;

/** The names shown for a widget, and for the guest whose conversation contains message `m`. */
const widgetNameJson = sql`(
  select json_build_object('title', w.title, 'tag_name', t.name, 'guest', (
    select ${guestJson} from guests gu where gu.id = m.guest_id))
  from chat_messages m join widgets w on w.id = m.widget_id join tags t on t.id = w.tag_id where m.id = l.id)`;

/**
 * The newest messages that contain every word of a text, or a word that begins with it, one more than the page: in the
 * chats that the viewer's lists show.
 */
export function findMessages(db: Queryable, viewer_id: string, query: MessageQuery): Promise<FoundRow[]> {
  const max = (query.limit ?? default_limit) + 1;
  const offset = query.offset ?? 0;
  const parts = partsOf(viewer_id, query);
  const has = (kind: Part['kind'], value: Sql) =>
    parts.some((part) => part.kind === kind) ? sql`case when l.kind = ${kind} then ${value} end` : sql`null`;
  const below = query.before_id === undefined ? undefined : sortKeyOf(query.before_id);
  const chat = sql`(select ${messageJson(viewer_id)} from chat_messages m where m.id = l.id)`;
  return db.many<FoundRow>(sql`
    with asked as materialized (
      select string_agg('''#:' || word || ''':*', ' & ') as words from unnest(folded_words(${query.q})) as word),
    ${join(
      parts.map(({ kind, chats }) => sql`${chatsOf(kind)} as materialized (${chats})`),
      ', ',
    )},
    page as (${join(
      parts.map((part) => pageOfPart(part, below, max + offset)),
      ' union all ',
    )}),
    listed as (select * from page order by substr(id, strpos(id, '_') + 1) desc limit ${max} offset ${offset})
    select l.id, l.kind, l.chat_id,
      (select ${publicUserJson('u')} from users u where u.id = l.peer_id) as peer,
      ${has('group', sql`(select g.name from groups g where g.id = l.chat_id)`)} as group_name,
      ${has('call', callNameJson(viewer_id))} as call, ${has('widget', widgetNameJson)} as widget,
      ${has('thread', sql`(select ${directMessageJson} from dm_messages m join users sender on sender.id = m.sender_id where m.id = l.id)`)} as direct,
      coalesce(${has('group', chat)}, ${has('widget', chat)},
        ${has('call', sql`(select ${callMessageJson(viewer_id)} from call_messages m where m.id = l.id)`)}) as chat
    from listed l order by substr(l.id, strpos(l.id, '_') + 1) desc`);
}

/** A search result, with its chat. */
export function presentFound(row: FoundRow, viewer: Viewer): Static<typeof FoundMessage> {
  const { id, chat_id, kind, peer, group_name, call, widget, direct, chat } = row;
  const messageIn = (one: FoundRow['kind']) => (kind === one && chat ? presentMessage(chat, viewer) : null);
  return {
    id,
    thread: peer && { id: chat_id, peer: presentUser(peer, viewer) },
    group: group_name === null ? null : { id: chat_id, name: group_name },
    call: call && { ...call, conference_id: chat_id, started_at: wireTime(new Date(call.started_at)) },
    widget: widget && { ...widget, id: chat_id },
    direct_message: direct && presentDirectMessage(direct, viewer),
    group_message: messageIn('group'),
    call_message: messageIn('call'),
    widget_message: messageIn('widget'),
  };
}
