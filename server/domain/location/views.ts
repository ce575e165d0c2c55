/** The log of position views: who viewed whose position, and when. Repeated views within ten minutes count as one. */
import { sql } from '../../kernel/database/database.ts';
import type { Services } from '../../kernel/services.ts';
import { after } from '../../kernel/time.ts';
import { mayNameViewer } from '../visibility/location.ts';
import { row_by_row } from '../visibility/viewer.ts';

/** Views that are closer together count as one. */
const view_gap_s = 600;
/**
 * A view is written again only when the last write was this long ago; with several nodes, after twice that at the
 * latest.
 */
const rewrite_gap_s = 30;

/**
 * The maximum of pairs that a node caches; then the cache is cleared, which costs some statements but loses no views.
 */
const max_cached = 200_000;

/** The views that this node has written recently, so that a live map does not query the database for every pair. */
class RecentViews {
  private readonly at_ms = new Map<string, Map<string, number>>();
  private count = 0;

  /** The viewers whose view of an owner was not written recently. */
  stale(owner_id: string, viewer_ids: string[], now: Date): string[] {
    const viewers = this.at_ms.get(owner_id);
    if (!viewers) return viewer_ids;
    const now_ms = now.getTime();
    return viewer_ids.filter((viewer) => {
      const at_ms = viewers.get(viewer);
      // The clock may have stepped back.
      return at_ms === undefined || Math.abs(now_ms - at_ms) >= rewrite_gap_s * 1000;
    });
  }

  add(owner_id: string, viewer_id: string, now: Date): void {
    if (this.count >= max_cached) {
      this.at_ms.clear();
      this.count = 0;
    }
    const viewers = this.at_ms.get(owner_id) ?? new Map<string, number>();
    if (!viewers.has(viewer_id)) this.count += 1;
    this.at_ms.set(owner_id, viewers.set(viewer_id, now.getTime()));
  }
}

const recent_views = new WeakMap<Services, RecentViews>();

/**
 * Records that each viewer has seen the position of each owner. A repeated view gives the row a new identifier, so that
 * identifiers sort by the latest view, and a reader who pages by them sees no row twice. Viewers who do not let the owner
 * find them are left out, unless they have looked for public positions.
 * @param by how the viewers came to see the positions: shared with them, or by a search near a place
 */
export async function recordViews(
  services: Services,
  owner_ids: string[],
  viewer_ids: string[],
  by: 'share' | 'search' = 'share',
): Promise<void> {
  const now = services.clock.now();
  const recent = recent_views.get(services) ?? new RecentViews();
  recent_views.set(services, recent);
  const pairs = owner_ids.flatMap((owner) => {
    const viewers = by === 'search' ? viewer_ids : recent.stale(owner, viewer_ids, now);
    return viewers.map((viewer) => ({ owner, viewer }));
  });
  if (pairs.length === 0) return;
  await services.db.run(sql`
    insert into location_views as w (id, owner_id, viewer_id, first_at, last_at, counted_at, count)
    select i, o, v, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, 1
    from unnest(${pairs.map(() => services.id('view'))}::text[], ${pairs.map(({ owner }) => owner)}::text[], ${pairs.map(({ viewer }) => viewer)}::text[]) p (i, o, v)
    -- A conflict locks its row even if it updates nothing, so recently updated rows are excluded first.
    where (${by === 'search'}::boolean or ${mayNameViewer(sql`o`, sql`v`)}) and not exists (
      select 1 from location_views fresh
      where fresh.owner_id = o and fresh.viewer_id = v and fresh.link_id is null
        and fresh.last_at > ${after(now, -rewrite_gap_s)} ${row_by_row})
    order by o, v
    on conflict (owner_id, viewer_id, link_id) do update set id = excluded.id, last_at = excluded.last_at,
      count = w.count + case when w.counted_at <= ${after(now, -view_gap_s)} then 1 else 0 end,
      counted_at = case when w.counted_at <= ${after(now, -view_gap_s)} then excluded.counted_at else w.counted_at end
    where w.last_at <= ${after(now, -rewrite_gap_s)}`);
  for (const { owner, viewer } of pairs) recent.add(owner, viewer, now);
}

/** Records that a link was opened. */
export async function recordLinkView({ db, clock, id }: Services, owner_id: string, link_id: string): Promise<void> {
  const now = clock.now();
  await db.run(sql`
    insert into location_views as w (id, owner_id, link_id, first_at, last_at, counted_at, count)
    values (${id('view')}, ${owner_id}, ${link_id}, ${now}, ${now}, ${now}, 1)
    on conflict (owner_id, viewer_id, link_id) do update set id = excluded.id, last_at = excluded.last_at,
      count = w.count + case when w.counted_at <= ${after(now, -view_gap_s)} then 1 else 0 end,
      counted_at = case when w.counted_at <= ${after(now, -view_gap_s)} then excluded.counted_at else w.counted_at end
    where w.last_at <= ${after(now, -rewrite_gap_s)}`);
}
