/** The public call that a person is in now. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { maySeeUser } from '../visibility/people.ts';
import type { Viewer } from '../visibility/viewer.ts';

/** A public call as others see it on a profile. */
export type LiveRow = { join_code: string; participant_count: number; started_at: Date };

/**
 * The public call that a person hosts or is in, if a viewer may see them in it: their own before others', then the
 * newest. Read from the rows of the call, so that it is always current.
 */
export async function selectLive(db: Queryable, user_id: string, viewer: Viewer): Promise<LiveRow | undefined> {
  return db.maybe<LiveRow>(sql`
    select c.join_code, c.started_at, (
      select count(*)::int from call_participants p where p.call_id = c.id and p.state in ('joining', 'joined')) as participant_count
    from calls c join users host on host.id = c.host_id
    where c.id in (
        select id from calls where host_id = ${user_id} and state <> 'ended'
        union
        select call_id from call_participants where user_id = ${user_id} and state in ('joining', 'joined'))
      and c.state <> 'ended' and c.privacy = 'public' and ${maySeeUser(viewer.id, 'host')}
    order by (c.host_id = ${user_id}) desc, c.id desc limit 1`);
}
