import { linkUrl } from '../../../domain/public-links/links.ts';
import type { Static } from '../../../kernel/schema.ts';
import type { Services } from '../../../kernel/services.ts';
import { wireTime } from '../../../kernel/time.ts';
import type { LinkRow } from '../queries.ts';
import type { LocationLink } from '../schemas.ts';

/** A location link as its owner sees it. */
export const presentLink = (row: LinkRow, services: Services): Static<typeof LocationLink> => ({
  id: row.id,
  url: linkUrl(services, 'location', row.sealed),
  precision: row.precision,
  expires_at: wireTime(row.expires_at),
  created_at: wireTime(row.created_at),
  view_count: row.view_count,
});
