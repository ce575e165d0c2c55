import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { deleteOldPositions, lockSettings, removedDetails } from './queries.ts';

/** How long views are listed after the last one; links are stored equally long for that list. */
const view_retention_s = 90 * 24 * 60 * 60;

export const lifecycle: Lifecycle = {
  async accountDeleted({ db, now }, user_id) {
    await lockSettings(db, user_id);
    await db.run(sql`update location_settings set mode = 'off', expires_at = null where user_id = ${user_id}`);
    await db.run(sql`delete from locations where user_id = ${user_id}`);
    await db.run(sql`
      update location_links set revoked_at = ${now} where owner_id = ${user_id} and revoked_at is null`);
  },
  async purgeAccount({ db }, user_id, portion) {
    const viewers = await db.run(sql`
      delete from location_viewers where (owner_id, viewer_id) in (
        select owner_id, viewer_id from location_viewers where owner_id = ${user_id}
        union all select owner_id, viewer_id from location_viewers where viewer_id = ${user_id} limit ${portion}::int)`);
    const views = await db.run(sql`
      delete from location_views where ctid = any(array(
        select ctid from location_views where owner_id = ${user_id}
        union all select ctid from location_views where viewer_id = ${user_id} limit ${portion}::int))`);
    const links = await db.run(sql`
      delete from location_links where id = any(array(
        select id from location_links where owner_id = ${user_id} order by id limit ${portion}::int))`);
    await db.run(sql`delete from location_settings where user_id = ${user_id}`);
    return [viewers, views, links].some((count) => count >= portion);
  },
  async blocked({ db }, blocker_id, blocked_id) {
    // Permanently: after the block they have to select each other again.
    await db.run(sql`
      delete from location_viewers
      where (owner_id = ${blocker_id} and viewer_id = ${blocked_id}) or (owner_id = ${blocked_id} and viewer_id = ${blocker_id})`);
  },
  async expire({ db, now }, portion) {
    const positions = await deleteOldPositions(db, now, portion);
    const ended = await db.run(sql`
      delete from locations where user_id = any(array(
        select l.user_id from locations l where not exists (
            select 1 from location_settings ls where ls.user_id = l.user_id and ls.expires_at > ${now})
          and not exists (
            select 1 from location_links k where k.owner_id = l.user_id and k.revoked_at is null and k.expires_at > ${now})
        limit ${portion}::int))`);
    const trimmed = await db.run(sql`
      update locations set ${removedDetails} where user_id = any(array(
        select l.user_id from locations l where l.latitude is not null and not exists (
            select 1 from location_settings ls
            where ls.user_id = l.user_id and ls.mode <> 'off' and ls.precision = 'exact' and ls.expires_at > ${now})
          and not exists (
            select 1 from location_links k
            where k.owner_id = l.user_id and k.precision = 'exact' and k.revoked_at is null and k.expires_at > ${now})
        limit ${portion}::int))`);
    const views = await db.run(sql`
      delete from location_views where ctid = any(array(
        select ctid from location_views where last_at <= ${after(now, -view_retention_s)} limit ${portion}::int))`);
    const links = await db.run(sql`
      delete from location_links where id = any(array(
        select id from location_links where expires_at <= ${after(now, -view_retention_s)} limit ${portion}::int))`);
    return [positions, ended, trimmed, views, links].some((count) => count >= portion);
  },
};
