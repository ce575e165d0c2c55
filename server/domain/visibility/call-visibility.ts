/** Who may see a call, and who may come into it without being called. */
import { sql, type Sql } from '../../kernel/database.ts';
import { isId } from '../../kernel/id.ts';
import { areTogether, maySeeEvent, type ViewerId } from './visibility.ts';

/** Call `c` is one into which the viewer may come without being called, if no block keeps them from its host. */
const isOpen = (viewer_id: ViewerId) => sql`(c.state <> 'ended' and (c.privacy = 'public' or (c.privacy = 'followers'
  and exists (select 1 from follows f where f.owner_id = c.host_id and f.follower_id = ${viewer_id}))
  or (c.event_id is not null and exists (
    select 1 from calendar_events e join users u on u.id = e.owner_id
    where e.id = c.event_id and e.call_enabled and ${maySeeEvent(viewer_id)}))))`;

/**
 * Who may see call `c` of host `host`: who was called or is in it, or anybody to whom it is open; nobody whom a block
 * keeps from the host or who was sent away, and nobody while the host is suspended.
 */
export const mayOpenCall = (viewer_id: string): Sql =>
  isId('gst', viewer_id) ? isGuestOf(viewer_id) : mayOpenAsUser(viewer_id);

/** A guest of a widget sees their own calls alone. */
const isGuestOf = (guest_id: string): Sql => sql`
  exists (select 1 from call_participants v where v.call_id = c.id and v.guest_id = ${guest_id} and v.removed_at is null)`;

const mayOpenAsUser = (viewer_id: string): Sql => sql`
  ${areTogether(viewer_id, 'c.host_id')} and host.suspended_at is null and coalesce((
    select v.removed_at is null and (${isOpen(viewer_id)} or (not v.silent and (
      v.invited or v.state in ('joining', 'joined') or (c.state = 'ended' and v.joined_at is not null))))
    from call_participants v where v.call_id = c.id and v.user_id = ${viewer_id}), ${isOpen(viewer_id)})`;
