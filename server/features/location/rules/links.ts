import { linkUrl } from '../../../domain/public-links/links.ts';
import type { Static } from '../../../kernel/schema.ts';
import { wireTime } from '../../../kernel/time.ts';
import type { LinkRow } from '../queries.ts';
import type { LocationLink } from '../schemas.ts';
import type { AnyViewer } from '../../../domain/visibility/viewer.ts';

/** A location link as its owner sees it. */
export const presentLink = (row: LinkRow, viewer: AnyViewer): Static<typeof LocationLink> => ({
  id: row.id,
  url: linkUrl(viewer.services, 'location', row.sealed),
  precision: row.precision,
  expires_at: wireTime(row.expires_at),
  created_at: wireTime(row.created_at),
  view_count: row.view_count,
});
