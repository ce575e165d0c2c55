import { detachFiles } from '../../domain/files/files.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount({ db, now }, user_id, portion) {
    const recordings = await db.many<{ id: string }>(sql`
      delete from recordings where id = any(array(
        select id from recordings where started_by = ${user_id} and state not in ('announced', 'recording')
        order by id limit ${portion})) returning id`);
    await detachFiles(
      db,
      recordings.map(({ id }) => id),
      now,
    );
    const listeners = await db.run(sql`
      delete from recording_listeners where (user_id, recording_id) in (
        select user_id, recording_id from recording_listeners where user_id = ${user_id} limit ${portion}::int)`);
    return recordings.length >= portion || listeners >= portion;
  },
};
