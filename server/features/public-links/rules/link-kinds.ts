/** What each kind of public link opens. */
import type { Queryable } from '../../../kernel/database/database.ts';
import { Type, type Static, type TSchema } from '../../../kernel/schema.ts';
import type { Services } from '../../../kernel/services.ts';
import { openFeedLink, PublicFeed } from '../../../domain/calendar/public-feed.ts';
import { openEventLink, PublicEvent } from '../../../domain/calendar/public-event.ts';
import { openLocationLink, PublicLocation } from '../../../domain/location/public-location.ts';
import { openInviteLink, PublicInvite } from '../../../domain/contacts/public-invite.ts';
import { openGroupLink, PublicGroup } from '../../../domain/contacts/public-group.ts';
import type { LinkKind, LinkRow } from '../../../domain/public-links/links.ts';

/** Reads the content of a link. @throws ApiError `not_found` when it no longer exists */
export type LinkOpener<S extends TSchema> = (db: Queryable, link: LinkRow, services: Services) => Promise<Static<S>>;

/** The content of a link, discriminated by `kind`. */
export const PublicLink = Type.Union([PublicEvent, PublicFeed, PublicLocation, PublicInvite, PublicGroup]);

/** How each kind is opened; the token has been verified before. */
export const openers: Record<LinkKind, LinkOpener<typeof PublicLink>> = {
  event: openEventLink,
  feed: openFeedLink,
  location: openLocationLink,
  invite: openInviteLink,
  group: openGroupLink,
};
