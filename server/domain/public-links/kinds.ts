/** What each kind of public link opens. */
import type { Queryable } from '../../kernel/database.ts';
import type { Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { openLocationLink, PublicLocation } from '../location/public-location.ts';
import type { LinkKind, LinkRow } from './links.ts';

/** What a link may answer, told apart by `kind`. */
export const PublicLink = PublicLocation;

export type LinkOpener = (db: Queryable, link: LinkRow, services: Services) => Promise<Static<typeof PublicLink>>;

/** How each kind is opened; the token has been found good before. */
export const openers: Partial<Record<LinkKind, LinkOpener>> = { location: openLocationLink };
