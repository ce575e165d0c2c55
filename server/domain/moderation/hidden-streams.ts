/** The stored events of what operators hide, which are not replayed: deleted in portions, of which the first is part of the act. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { job } from '../../kernel/job.ts';
import { change as inChange, type Change } from '../../kernel/services.ts';

/** The number of events per transaction: an account or a tag may have any number of them. */
const portion = 500;

/** The streams of a person or a tag, as long as they are hidden. */
const streamsOf: Record<Hidden['type'], (id: string) => Sql> = {
  tag: (id) => sql`select t.id from tags t where t.id = ${id} and t.hidden_at is not null`,
  user: (id) => sql`
    with person as (select u.id from users u where u.id = ${id} and u.suspended_at is not null)
    select id from person union all select t.id from person join tags t on t.owner_id = person.id`,
};

type Hidden = { type: 'tag' | 'user'; id: string };

/**
 * Deletes the stored events of hidden streams, so that they are not replayed; their content is fetched again later. Those beyond a
 * portion follow in a job: what they contain is blanked meanwhile (`visibility/replay.ts`).
 */
export async function barReplay(change: Change, { type, id }: Hidden): Promise<void> {
  const gone = await change.db.run(sql`
    delete from events where ctid = any(array(
      select e.ctid from (${streamsOf[type](id)}) as stream (id) join events e on e.topic = 'stream:' || stream.id
      limit ${portion}))`);
  if (gone === portion) change.enqueue(barFurtherReplay, { type, id });
}

/** Continues `barReplay`. */
export const barFurtherReplay = job<Hidden>({
  name: 'moderation.bar-replay',
  max_attempts: 20,
  run: (hidden, services) => inChange(services, (change) => barReplay(change, hidden)),
});
