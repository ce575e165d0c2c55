import { detachFiles } from '../../domain/files/files.ts';
import { answer_within_s } from '../../domain/messages/incoming-texts.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** How long a provider may repeat the report of a text, in seconds. */
const repeated_within_s = 7 * 86_400;

export const lifecycle: Lifecycle = {
  async accountDeleted({ db }, user_id) {
    await db.run(sql`delete from text_writers where user_id = ${user_id}`);
  },
  async purgeAccount({ db, now }, user_id, portion) {
    // What others received is kept, with its file.
    const handed_on = await db.run(sql`
      with received as (
        select m.user_id, m.file_id from inbox_messages m join files f on f.id = m.file_id
        where f.owner_id = ${user_id} and m.user_id <> ${user_id} order by f.id limit ${portion}::int),
      handed_on as (
        update files set owner_id = r.user_id from received r where files.id = r.file_id
        returning files.owner_id, files.size_bytes)
      update users set storage_bytes = storage_bytes + h.bytes
      from (select owner_id, sum(size_bytes) as bytes from handed_on group by owner_id) h where users.id = h.owner_id`);
    const own = await db.many<{ id: string }>(sql`
      delete from inbox_messages where id = any(array(
        select id from inbox_messages where user_id = ${user_id} order by id limit ${portion})) returning id`);
    await detachFiles(
      db,
      own.map(({ id }) => id),
      now,
    );
    return handed_on > 0 || own.length >= portion;
  },
  async expire({ db, now }, portion) {
    const writers = await db.run(sql`
      delete from text_writers where number = any(array(
        select number from text_writers where written_at < ${after(now, -answer_within_s)} limit ${portion}::int))`);
    const texts = await db.run(sql`
      delete from incoming_texts where provider_id = any(array(
        select provider_id from incoming_texts where received_at < ${after(now, -repeated_within_s)} limit ${portion}::int))`);
    return writers >= portion || texts >= portion;
  },
};
