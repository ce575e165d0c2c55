/**
 * Lasting rooms: a tag or a group has one join code for all of its calls. Everybody who may enter can use it at any
 * time to start a call or to join the current one.
 */
import type { Caller } from '../../kernel/caller.ts';
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { fail, found } from '../../kernel/errors.ts';
import { component, idOf, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import { GroupLabel, groupLabelJson, presentGroupLabel } from '../contacts/groups.ts';
import { TagLabel } from '../social/tags.ts';
import { maySeeUser } from '../visibility/people.ts';
import { mayEnterRoom, roomOwner, roomAdmitsGuests } from '../visibility/rooms.ts';
import type { Viewer } from '../visibility/viewer.ts';
import { guests_values, generateJoinCode, privacy_values, type CallRow } from './state/calls.ts';
import { closeRoomOf } from './leave-places.ts';
import { createCall } from './start/start-call.ts';

export const LastingRoom = component(
  'LastingRoom',
  object({
    id: idOf('room'),
    join_code: Type.String(),
    url: Type.String({ description: 'Opens the room in the web client.' }),
    tag: nullable(TagLabel),
    group: nullable(GroupLabel),
    owner: PublicUser,
    is_mine: Type.Boolean(),
    privacy: {
      ...oneOf(...privacy_values, 'members'),
      description:
        'Who may join: for a group its members; for a tag only its owner, its followers, or everyone who can see it.',
    },
    guests: { ...oneOf(...guests_values), description: 'The guest setting with which its calls start.' },
    call: nullable(
      object({
        conference_id: idOf('conf'),
        participant_count: Type.Integer({ minimum: 1 }),
        people: Type.Array(PublicUser, {
          maxItems: default_limits.room_people_shown,
          description: 'The first participants with an account.',
        }),
        started_at: moment,
      }),
      { description: 'Null while it is empty.' },
    ),
    created_at: moment,
  }),
);

type LiveCall = { conference_id: string; participant_count: number; people: PublicUserRow[]; started_at: string };

type RoomRow = {
  id: string;
  join_code: string;
  tag: { id: string; name: string; title: string } | null;
  group: Parameters<typeof presentGroupLabel>[0] | null;
  owner: PublicUserRow;
  privacy: CallRow['privacy'] | 'members';
  guests: CallRow['guests'];
  call: LiveCall | null;
  created_at: Date;
};

const present = sql`p.call_id = c.id and p.state in ('joining', 'joined')`;

/** The participants in the call of room `r`, as a viewer sees them; null while it is empty. */
const callJson = (viewer_id: string): Sql => sql`(
  select json_build_object('conference_id', c.id, 'started_at', c.started_at, 'participant_count', inside.count, 'people', (
    select coalesce(json_agg(one.person), '[]'::json) from (
      select ${publicUserJson('u')} as person from call_participants p join users u on u.id = p.user_id
      where ${present} and ${maySeeUser(viewer_id)} order by p.id limit ${default_limits.room_people_shown}::int) one))
  from calls c cross join lateral (select count(*)::int as count from call_participants p where ${present}) inside
  where c.join_code = r.join_code and c.state <> 'ended' and inside.count > 0)`;

/** The columns of a room `r` as a viewer sees it. */
const roomColumns = (viewer_id: string): Sql => sql`
  r.id, r.join_code, r.privacy, r.guests, r.created_at,
  (select json_build_object('id', t.id, 'name', t.name, 'title', t.title) from tags t where t.id = r.tag_id) as tag,
  (select ${groupLabelJson} from groups g where g.id = r.group_id) as group,
  (select ${publicUserJson('u')} from users u where u.id = ${roomOwner}) as owner, ${callJson(viewer_id)} as call`;

/** Rooms `r` that a viewer may enter; `which` may end in an order. */
export const selectRooms = (db: Queryable, which: Sql, viewer_id: string): Promise<RoomRow[]> =>
  db.many<RoomRow>(
    sql`select ${roomColumns(viewer_id)} from lasting_rooms r where ${mayEnterRoom(viewer_id)} and ${which}`,
  );

/** A room that a viewer may enter. @throws ApiError `not_found` */
export async function requireRoom(db: Queryable, which: Sql, viewer: Viewer): Promise<Static<typeof LastingRoom>> {
  const [room] = await selectRooms(db, which, viewer.id);
  return presentRoom(found(room), viewer);
}

/** A room as presented to a person who may enter it. */
export function presentRoom({ group, owner, call, ...room }: RoomRow, viewer: Viewer): Static<typeof LastingRoom> {
  const { public_url } = viewer.services;
  return {
    ...room,
    url: `${public_url}/j/${room.join_code}`,
    group: group && presentGroupLabel(group, viewer),
    owner: presentUser(owner, viewer),
    is_mine: owner.id === viewer.id,
    call: call && {
      ...call,
      people: call.people.map((person) => presentUser(person, viewer)),
      started_at: wireTime(new Date(call.started_at)),
    },
    created_at: wireTime(room.created_at),
  };
}

type Place = { tag_id?: string; group_id?: string };

/** Creates the room of a tag or a group, or changes the given settings; its code stays the same. */
export async function setRoom(
  { db, id, now }: Pick<Change, 'db' | 'id' | 'now'>,
  { tag_id, group_id }: Place,
  { privacy, guests }: { privacy?: RoomRow['privacy']; guests?: RoomRow['guests'] },
): Promise<void> {
  const first = group_id === undefined ? 'followers' : 'members';
  await db.run(sql`
    insert into lasting_rooms as r (id, join_code, tag_id, group_id, privacy, guests, created_at)
    values (${id('room')}, ${generateJoinCode()}, ${tag_id ?? null}, ${group_id ?? null}, ${privacy ?? first}, ${guests ?? 'off'}, ${now})
    on conflict (${group_id === undefined ? sql`tag_id` : sql`group_id`}) do update set
      privacy = coalesce(${privacy ?? null}, r.privacy), guests = coalesce(${guests ?? null}, r.guests)`);
}

/** Deletes the room of a tag or a group: its code is invalid from now on. Its owner, and who was called, may stay in its call. */
export async function deleteRoom(change: Change, of_id: string): Promise<boolean> {
  await closeRoomOf(change, of_id);
  return (await change.db.run(sql`delete from lasting_rooms where tag_id = ${of_id} or group_id = ${of_id}`)) > 0;
}

/**
 * Ensures that there is a call to join when a code belongs to a room that the caller may enter.
 * @throws ApiError `call_in_progress`
 */
export async function prepareRoomCall(
  change: Change,
  join_code: string,
  caller: Pick<Caller, 'user_id' | 'session_id' | 'tier'>,
): Promise<void> {
  // Locked, so that the second of two concurrent joins finds the call of the first. Whether they may enter is read by
  // another statement, which sees what was changed while the first waited.
  const locked = change.db.run(sql`
    select 1 from lasting_rooms where join_code = ${join_code} for no key update`);
  const read = change.db.maybe<Pick<RoomRow, 'id' | 'guests'> & { owner_id: string; group_id: string | null }>(sql`
    select r.id, r.guests, r.group_id, ${roomOwner} as owner_id from lasting_rooms r
    where r.join_code = ${join_code} and ${mayEnterRoom(caller.user_id)}`);
  const [, room] = await Promise.all([locked, read]);
  if (!room) return;
  const is_ongoing = await change.db.run(sql`select 1 from calls where join_code = ${join_code} and state <> 'ended'`);
  if (is_ongoing > 0) return;
  const { id, owner_id, guests, group_id } = room;
  await createCall(change, caller, { room: { id, owner_id, join_code, guests }, group_id, callees: [] });
}

/** Refuses to show the call of a room while it is empty. @throws ApiError `not_open_yet` */
export async function refuseEmptyRoom(db: Queryable, join_code: string, viewer_id: string): Promise<void> {
  const room = await db.maybe<{ call_title: string }>(sql`
    select coalesce('*' || (select t.name from tags t where t.id = r.tag_id),
      (select g.name from groups g where g.id = r.group_id)) as call_title
    from lasting_rooms r where r.join_code = ${join_code} and ${mayEnterRoom(viewer_id)}`);
  if (room)
    fail('not_open_yet', {
      members: { may_start: true, call_title: room.call_title },
      message: 'No one is in this room yet. Join to start the call.',
    });
}

/** An empty room that admits guests, as shown to the holder of its link. */
export async function selectRoomForGuests(
  db: Queryable,
  join_code: string,
): Promise<{ guests: RoomRow['guests']; host: PublicUserRow } | undefined> {
  return db.maybe(sql`
    select r.guests, ${publicUserJson('u')} as host from lasting_rooms r join users u on u.id = ${roomOwner}
    where r.join_code = ${join_code} and ${roomAdmitsGuests}
      and not exists (select 1 from calls c where c.join_code = r.join_code and c.state <> 'ended')`);
}
