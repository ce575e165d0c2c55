import { removeUnreferencedPhotos, purgePhotos } from '../../domain/contacts/contact-photos.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';

/** How long an expired preview is kept, so that a late commit can be refused with the reason, in seconds. */
const expired_preview_s = 24 * 60 * 60;
/** Imports are purged in small portions: each may concern ten thousand contacts. */
const portion_of_imports = 5;

export const lifecycle: Lifecycle = {
  async purgeAccount(change, user_id, portion) {
    const { db } = change;
    const has_photos = await purgePhotos(change, user_id, portion);
    const previews = await db.run(sql`
      delete from contact_import_previews where id = any(array(
        select id from contact_import_previews where owner_id = ${user_id} order by id limit ${portion_of_imports}::int))`);
    const imports = await db.run(sql`
      delete from contact_imports where id = any(array(
        select id from contact_imports where owner_id = ${user_id} order by id limit ${portion_of_imports}::int))`);
    const contacts = await db.run(sql`
      delete from contacts where id = any(array(
        select id from contacts where owner_id = ${user_id} order by id limit ${portion}::int))`);
    await db.run(sql`delete from contact_counts where owner_id = ${user_id} and count = 0`);
    return has_photos || previews >= portion_of_imports || imports >= portion_of_imports || contacts >= portion;
  },
  async expire(change, portion) {
    const { db, now } = change;
    const has_photos = await removeUnreferencedPhotos(change, portion);
    const gone = await db.run(sql`
      delete from contact_import_previews where id = any(array(
        select id from contact_import_previews where expires_at < ${after(now, -expired_preview_s)}
        order by expires_at limit ${portion_of_imports}::int))`);
    return has_photos || gone >= portion_of_imports;
  },
};
