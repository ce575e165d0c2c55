/** Who looked at whose position, and when: written down for every look, counted when it is ten minutes after the last. */
import { sql } from '../../kernel/database/database.ts';
import type { Services } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { one_by_one } from '../visibility/viewer.ts';

/** Looks that are nearer to each other count as one. */
const look_gap_s = 600;
/** A look is written down again only when the last one was this long ago. */
const rewrite_gap_s = 30;

/** Notes that each viewer has seen the position of each owner. */
export async function noteViews({ db, clock }: Services, owner_ids: string[], viewer_ids: string[]): Promise<void> {
  if (owner_ids.length === 0 || viewer_ids.length === 0) return;
  const now = clock.now();
  await db.run(sql`
    insert into location_views as w (owner_id, viewer_id, first_at, last_at, counted_at, count)
    select o, v, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, 1
    from unnest(${owner_ids}::text[]) o, unnest(${viewer_ids}::text[]) v
    -- A conflict locks its row even where it changes nothing, so that those which are fresh are passed over before.
    where not exists (
      select 1 from location_views fresh
      where fresh.owner_id = o and fresh.viewer_id = v and fresh.link_id is null
        and fresh.last_at > ${after(now, -rewrite_gap_s)} ${one_by_one})
    order by o, v
    on conflict (owner_id, viewer_id, link_id) do update set last_at = excluded.last_at,
      count = w.count + case when w.counted_at <= ${after(now, -look_gap_s)} then 1 else 0 end,
      counted_at = case when w.counted_at <= ${after(now, -look_gap_s)} then excluded.counted_at else w.counted_at end
    where w.last_at <= ${after(now, -rewrite_gap_s)}`);
}

/** Notes that somebody has opened a link. */
export async function noteLinkView({ db, clock }: Services, owner_id: string, link_id: string): Promise<void> {
  const now = clock.now();
  await db.run(sql`
    insert into location_views as w (owner_id, link_id, first_at, last_at, counted_at, count)
    values (${owner_id}, ${link_id}, ${now}, ${now}, ${now}, 1)
    on conflict (owner_id, viewer_id, link_id) do update set last_at = excluded.last_at,
      count = w.count + case when w.counted_at <= ${after(now, -look_gap_s)} then 1 else 0 end,
      counted_at = case when w.counted_at <= ${after(now, -look_gap_s)} then excluded.counted_at else w.counted_at end
    where w.last_at <= ${after(now, -rewrite_gap_s)}`);
}
