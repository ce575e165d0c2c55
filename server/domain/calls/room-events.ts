/** Events of lasting rooms. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { event, type DataOf, type Topic } from '../../kernel/event.ts';
import { isId } from '../../kernel/id.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import type { Change, Services } from '../../kernel/services.ts';
import { focusMember, viewersKey } from '../notifications/push.ts';
import { roomOwner } from '../visibility/rooms.ts';
import { mayOpenTag } from '../visibility/tags.ts';

export const roomUpdated = event(
  'room.updated',
  'Someone joined or left a lasting room, or the room was created, changed or removed. Fetch the room for its participants.',
  object({
    room_id: idOf('room'),
    tag_id: optional(idOf('tag')),
    group_id: optional(idOf('grp')),
    participant_count: Type.Integer({ minimum: 0 }),
  }),
);

type RoomRow = {
  id: string;
  tag_id: string | null;
  group_id: string | null;
  owner_id: string;
  privacy: 'private' | 'followers' | 'public';
};

/** The maximum of viewers of a tag's page who are notified of its room. */
const max_viewers = 500;

/** Everybody who may enter a room: the members of a group, or the followers of a tag, and the owner. */
async function topicsOf(db: Queryable, { tag_id, group_id, owner_id, privacy }: RoomRow): Promise<Topic[]> {
  const owner: Topic = `user:${owner_id}`;
  if (tag_id !== null) return privacy === 'private' ? [owner] : [owner, `stream:${tag_id}`];
  const members = await db.many<{ id: string }>(sql`
    select i.user_id as id from group_invites i where i.group_id = ${group_id} and i.state = 'accepted'`);
  return [owner, ...members.map(({ id }): Topic => `user:${id}`)];
}

/** Those who are viewing the page of a tag now, on any device and node, and may open it. */
async function selectViewers({ bus, db }: Services, tag_id: string): Promise<string[]> {
  const viewers = await bus.members(viewersKey(focusMember({ type: 'tag', id: tag_id })));
  const ids = [...new Set(viewers.map((member) => member.split(' ')[0] ?? ''))]
    .filter((id) => isId('usr', id))
    .slice(0, max_viewers);
  if (ids.length === 0) return [];
  const rows = await db.many<{ id: string }>(sql`
    select v.id from unnest(${ids}::text[]) as v(id), tags t join users u on u.id = t.owner_id
    where t.id = ${tag_id} and ${mayOpenTag(sql`v.id`)}`);
  return rows.map(({ id }) => id);
}

async function emitToViewers(
  services: Services,
  tag_id: string,
  room_state: DataOf<typeof roomUpdated>,
): Promise<void> {
  const viewers = await selectViewers(services, tag_id);
  if (viewers.length > 0) services.broadcast(roomUpdated, viewers, room_state);
}

/**
 * Notifies of the room that a condition on `lasting_rooms r` selects. For a room of a tag that is open to everybody,
 * people viewing the tag's page are included: once, since later viewers fetch it.
 */
export async function emitRoom(
  { db, emit, afterCommit, services }: Pick<Change, 'db' | 'emit' | 'afterCommit' | 'services'>,
  which: Sql,
): Promise<void> {
  const room = await db.maybe<RoomRow & { inside: number }>(sql`
    select r.id, r.tag_id, r.group_id, r.privacy, ${roomOwner} as owner_id,
      (select count(*)::int from calls c join call_participants p on p.call_id = c.id
       where c.join_code = r.join_code and c.state <> 'ended' and p.state in ('joining', 'joined')) as inside
    from lasting_rooms r where ${which}`);
  if (!room) return;
  const place = room.tag_id === null ? { group_id: room.group_id ?? '' } : { tag_id: room.tag_id };
  const room_state = { room_id: room.id, ...place, participant_count: room.inside };
  emit(roomUpdated, await topicsOf(db, room), room_state);
  const { tag_id } = room;
  if (tag_id === null || room.privacy !== 'public') return;
  afterCommit(() => {
    emitToViewers(services, tag_id, room_state).catch((error: unknown) =>
      services.log.warn({ err: error }, 'failed to notify viewers of a tag of its room'),
    );
  });
}
