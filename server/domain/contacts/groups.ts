/** Groups: contacts of an owner under one name. Their schema, visibility and members. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, found } from '../../kernel/errors.ts';
import { event } from '../../kernel/event.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { Contact, contactJson, phoneOf, presentContact, type ContactRow } from './contacts.ts';
import { fileJson, presentFile, type FileRow } from '../files/files.ts';
import { mayOpenGroup } from '../visibility/groups.ts';
import { maySeeUser } from '../visibility/people.ts';
import type { AnyViewer, Viewer, ViewerId } from '../visibility/viewer.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** The maximum of members of a group. */
export const max_members = default_limits.group_members;
/** How many of them a list of groups shows. */
export const few_members = default_limits.group_members_listed;

/** What a viewer is in a group. Admins change the group, its members and its link as its owner does. */
const group_roles = ['owner', 'admin', 'member'] as const;

const member_states = ['contact', 'invited', 'joined', 'left'] as const;

export const GroupMember = component(
  'GroupMember',
  object({
    contact_id: nullable(idOf('con')),
    name: Type.String({
      description: 'The name given by the owner; for other viewers, and for who joined by the link, the own name.',
    }),
    user: nullable(PublicUser),
    state: oneOf(...member_states),
    is_admin: Type.Boolean(),
    contact: nullable(Contact),
    added_at: moment,
  }),
);

const naming = {
  id: idOf('grp'),
  name: Type.String(),
  description: Type.String(),
  avatar_url: nullable(Type.String({ description: 'Signed for the viewer.' })),
};

export const Group = component(
  'Group',
  object({
    ...naming,
    role: oneOf(...group_roles),
    owner: PublicUser,
    member_count: Type.Integer({ minimum: 0 }),
    members: Type.Array(GroupMember, {
      maxItems: max_members,
      description: `The first ${few_members} in lists of groups; otherwise all.`,
    }),
    created_at: moment,
  }),
);

/** A group where it is only mentioned. */
export const GroupLabel = component('GroupLabel', object(naming));

export const groupUpdated = event(
  'group.updated',
  'A group you own or belong to was created or changed: fetch it again.',
  object({ id: idOf('grp') }),
);
export const groupDeleted = event(
  'group.deleted',
  'A group was deleted, or you are no longer a member.',
  object({ id: idOf('grp') }),
);

type Naming = { id: string; name: string; description: string; avatar: FileRow | null };

/** The label of group `g` as one JSON value. */
export const groupLabelJson = sql`json_build_object('id', g.id, 'name', g.name, 'description', g.description,
  'avatar', (select ${fileJson} from files fi where fi.id = g.avatar_file_id))`;

/** A member of a group as one viewer sees them. */
export type MemberRow = {
  /** Null for people who joined by the link of the group. */
  contact_id: string | null;
  name: string;
  user: PublicUserRow | null;
  /** The state as stored; null for a contact without an invite. */
  invite_state: 'pending' | 'accepted' | 'declined' | 'left' | null;
  is_admin: boolean;
  /** For the owner only. */
  contact: ContactRow | null;
  added_at: string;
};

/** A group as one viewer sees it. */
export type GroupRow = {
  label: Naming;
  /** Whether the viewer is an admin. */
  is_admin: boolean;
  owner: PublicUserRow;
  member_count: number;
  members: MemberRow[];
  created_at: Date;
};

/** The members of group `g` that a viewer sees: the owner all, others all but those in a block with them. */
const seenMembers = (viewer_id: ViewerId): Sql => sql`
  group_members m left join contacts c on c.id = m.contact_id left join group_invites i on i.id = m.invite_id
  where m.group_id = g.id and (g.owner_id = ${viewer_id} or coalesce(i.state <> 'accepted', true) or exists (
    select 1 from users u where u.id = i.user_id and ${maySeeUser(viewer_id)}))`;

const membersOf = (viewer_id: ViewerId, limit: number): Sql => sql`(
  select coalesce(json_agg(one.member order by one.added_at, one.place), '[]'::json) from (
    select m.added_at, coalesce(m.contact_id, m.invite_id) as place, json_build_object(
      'contact_id', m.contact_id, 'name', coalesce(c.name, (
        select coalesce(nullif(u.display_name, ''), u.username) from users u where u.id = i.user_id)),
      'added_at', m.added_at, 'invite_state', i.state, 'is_admin', coalesce(i.is_admin, false),
      'user', case when i.state = 'accepted' then (
        select ${publicUserJson('u')} from users u where u.id = i.user_id and ${maySeeUser(viewer_id)}) end,
      'contact', case when g.owner_id = ${viewer_id} and c.id is not null then ${contactJson(viewer_id)} end) as member
    from ${seenMembers(viewer_id)} order by m.added_at, place limit ${limit}::int) one)`;

/** The columns of GroupRow as a viewer sees them, over `groups g join users u` (the owner). */
export const groupColumns = (viewer_id: ViewerId, members: number = max_members): Sql => sql`
  ${groupLabelJson} as label, ${publicUserJson('u')} as owner, g.created_at,
  exists (select 1 from group_invites a where a.group_id = g.id and a.user_id = ${viewer_id} and a.is_admin) as is_admin,
  (select count(*)::int from ${seenMembers(viewer_id)}) as member_count, ${membersOf(viewer_id, members)} as members`;

/** The label of a group. */
export function presentGroupLabel({ avatar, ...label }: Naming, viewer: Viewer): Static<typeof GroupLabel> {
  return { ...label, avatar_url: avatar && avatarOf(avatar, viewer) };
}

function avatarOf(row: FileRow, viewer: Viewer): string {
  const file = presentFile(row, viewer);
  return file.variants.find(({ name }) => name === 'medium')?.url ?? file.stream_url;
}

/** A group as a viewer sees it. */
export function presentGroup(row: GroupRow, viewer: Viewer): Static<typeof Group> {
  const is_owner = row.owner.id === viewer.id;
  return {
    ...presentGroupLabel(row.label, viewer),
    role: is_owner ? 'owner' : row.is_admin ? 'admin' : 'member',
    owner: presentUser(row.owner, viewer),
    member_count: row.member_count,
    members: row.members.map((member) => presentMember(member, is_owner, viewer)),
    created_at: wireTime(row.created_at),
  };
}

/** A member as the owner or another member sees them. */
export function presentMember(row: MemberRow, for_owner: boolean, viewer: AnyViewer): Static<typeof GroupMember> {
  const { contact_id, user, contact, is_admin } = row;
  return {
    contact_id,
    name: (!for_owner && user?.display_name) || row.name,
    user: user && presentUser(user, viewer),
    state: stateOf(row, for_owner),
    is_admin,
    contact: contact && presentContact(contact, viewer),
    added_at: wireTime(new Date(row.added_at)),
  };
}

/** To the owner a declined invite looks pending; other members do not see who was invited. */
function stateOf({ invite_state, user }: MemberRow, for_owner: boolean): (typeof member_states)[number] {
  if (user) return 'joined';
  if (!for_owner || invite_state === null || invite_state === 'accepted') return 'contact';
  return invite_state === 'left' ? 'left' : 'invited';
}

/** A group that a viewer may open. @throws ApiError `not_found` */
export async function requireGroup(db: Queryable, id: string, viewer_id: string): Promise<GroupRow> {
  return found(
    await db.maybe<GroupRow>(sql`
      select ${groupColumns(viewer_id)} from groups g join users u on u.id = g.owner_id
      where g.id = ${id} and ${mayOpenGroup(viewer_id)}`),
  );
}

/** The number of members of a group, besides its owner. The caller has locked its row, so that it stays correct. */
export async function countMembers(db: Queryable, group_id: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from group_members where group_id = ${group_id}`,
  );
  return count;
}

/** A group of the caller. @throws ApiError `not_found`, or `forbidden` for members */
export async function requireOwnGroup(db: Queryable, id: string, user_id: string): Promise<GroupRow> {
  const group = await requireGroup(db, id, user_id);
  if (group.owner.id !== user_id) fail('forbidden');
  return group;
}

/** A group that a viewer may change. @throws ApiError `not_found`, or `forbidden` for other members */
export async function requireAdministeredGroup(db: Queryable, id: string, viewer_id: string): Promise<GroupRow> {
  const group = await requireGroup(db, id, viewer_id);
  if (group.owner.id !== viewer_id && !group.is_admin) fail('forbidden');
  return group;
}

/** Whether somebody is an admin of a group. */
export async function isGroupAdmin(db: Queryable, group_id: string, user_id: string): Promise<boolean> {
  const row = await db.maybe(
    sql`select 1 from group_invites where group_id = ${group_id} and user_id = ${user_id} and is_admin`,
  );
  return row !== undefined;
}

/** A person in a group who can be called or sent messages. */
export type GroupPerson = {
  /** Null for the owner, and for people who joined by the link. */
  contact_id: string | null;
  /** Whether they own the group. */
  is_owner: boolean;
  name: string;
  /** The account of the member who has accepted, or of the owner. */
  user: PublicUserRow | null;
  /** The account that a contact outside the group matches, as far as the owner may know; null for any other caller. */
  known_as: PublicUserRow | null;
  /** In E.164. It belongs to the owner's address book: others may ring it, but not see it. */
  number: string | undefined;
};

/**
 * Everybody whom a caller can reach through a group, except the caller and those in a block with them. The caller may
 * open the group.
 */
export async function selectGroupMembers(db: Queryable, group_id: string, caller_id: string): Promise<GroupPerson[]> {
  const group = await requireGroup(db, group_id, caller_id);
  const phones = await db.many<Pick<ContactRow, 'id' | 'phones'>>(sql`
    select c.id, c.phones from group_members m join contacts c on c.id = m.contact_id where m.group_id = ${group_id}`);
  const numbers = new Map(phones.map((contact) => [contact.id, phoneOf(contact)]));
  const people = group.members.map(({ contact_id, name, user, contact }) => ({
    contact_id,
    is_owner: false,
    name: user?.display_name ?? name,
    user,
    known_as: contact?.user ?? null,
    number: numbers.get(contact_id ?? ''),
  }));
  const owner = {
    contact_id: null,
    is_owner: true,
    name: group.owner.display_name,
    user: group.owner,
    known_as: null,
    number: undefined,
  };
  return [owner, ...people].filter(({ user }) => user?.id !== caller_id);
}
