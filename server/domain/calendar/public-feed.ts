/** A calendar feed as shown to the holder of its link: its description, without the events, which are in the file. */
import type { Queryable } from '../../kernel/database/database.ts';
import { component, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { LinkRow } from '../public-links/links.ts';

export const PublicFeed = component(
  'PublicFeed',
  object({
    kind: oneOf('feed'),
    content_type: Type.String({ description: 'The content type of the feed.' }),
  }),
);

/** Opens the public link of a feed. */
export async function openFeedLink(_db: Queryable, _link: LinkRow): Promise<Static<typeof PublicFeed>> {
  return { kind: 'feed', content_type: 'text/calendar' };
}
