/** What those who may come into a lasting room are told of it. */
import { sql, type Queryable, type Sql } from '../../kernel/database/database.ts';
import { event, type Topic } from '../../kernel/event.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { roomOwner } from '../visibility/rooms.ts';

export const roomUpdated = event(
  'room.updated',
  'Somebody came into a lasting room or left it, or the room was made, changed or removed. Whom one sees in it is asked of its operation.',
  object({
    room_id: idOf('room'),
    tag_id: optional(idOf('tag')),
    group_id: optional(idOf('grp')),
    participant_count: Type.Integer({ minimum: 0 }),
  }),
);

type Told = { id: string; tag_id: string | null; group_id: string | null; owner_id: string; is_private: boolean };

/** Everybody who may come into a room: of a group its members, of a tag who follows it, and the owner. */
async function topicsOf(db: Queryable, { tag_id, group_id, owner_id, is_private }: Told): Promise<Topic[]> {
  const owner: Topic = `user:${owner_id}`;
  if (tag_id !== null) return is_private ? [owner] : [owner, `stream:${tag_id}`];
  const members = await db.many<{ id: string }>(sql`
    select i.user_id as id from group_invites i where i.group_id = ${group_id} and i.state = 'accepted'`);
  return [owner, ...members.map(({ id }): Topic => `user:${id}`)];
}

/** Tells of the room that a condition on `lasting_rooms r` names. Whoever sees a public tag without following it is not told. */
export async function emitRoom({ db, emit }: Pick<Change, 'db' | 'emit'>, which: Sql): Promise<void> {
  const room = await db.maybe<Told & { inside: number }>(sql`
    select r.id, r.tag_id, r.group_id, r.privacy = 'private' as is_private, ${roomOwner} as owner_id,
      (select count(*)::int from calls c join call_participants p on p.call_id = c.id
       where c.join_code = r.join_code and c.state <> 'ended' and p.state in ('joining', 'joined')) as inside
    from lasting_rooms r where ${which}`);
  if (!room) return;
  const place = room.tag_id === null ? { group_id: room.group_id ?? '' } : { tag_id: room.tag_id };
  emit(roomUpdated, await topicsOf(db, room), { room_id: room.id, ...place, participant_count: room.inside });
}
