/** Feeds: the secret address of a calendar. */
import { insertLink, linkUrl } from '../../../domain/public-links/links.ts';
import type { AnyViewer } from '../../../domain/visibility/viewer.ts';
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import type { Change } from '../../../kernel/services.ts';
import { wireTime } from '../../../kernel/time.ts';

type FeedRow = { sealed: string | null; created_at: Date };

/** The newest address of a calendar; if `sealed` is missing it was revoked. */
export function selectCalendarFeed(db: Queryable, user_id: string): Promise<FeedRow | undefined> {
  return db.maybe<FeedRow>(sql`
    select sealed, created_at from public_links where kind = 'feed' and owner_id = ${user_id}
    order by (revoked_at is null) desc, created_at desc limit 1`);
}

/** Creates the address of a calendar that has none. */
export async function createCalendarFeed(change: Change, user_id: string) {
  const sealed = await insertLink(change, { kind: 'feed', subject_id: user_id, owner_id: user_id });
  return presentCalendarFeed(change, { sealed, created_at: change.now });
}

/** The feed of a calendar with its secret address. */
export function presentCalendarFeed(viewer: AnyViewer, { sealed, created_at }: { sealed: string; created_at: Date }) {
  return { url: linkUrl(viewer.services, 'feed', sealed), created_at: wireTime(created_at) };
}
