/** The content of a live link: its owner's current position, without an account. */
import { sql, type Queryable } from '../../kernel/database/database.ts';
import { component, moment, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { wireTime } from '../../kernel/time.ts';
import { presentUser, PublicUser, publicUserJson, type PublicUserRow } from '../accounts/accounts.ts';
import type { LinkRow } from '../public-links/links.ts';
import { MapConfig, mapConfig } from './map-config.ts';
import { isInWindow, position, positionColumns, presentPosition, type PositionRow } from './positions.ts';
import { recordLinkView } from './views.ts';

export const PublicLocation = component(
  'PublicLocation',
  object({
    kind: oneOf('location'),
    user: PublicUser,
    ...position,
    latitude: nullable(position.latitude),
    longitude: nullable(position.longitude),
    accuracy_m: nullable(Type.Number({ minimum: 0 })),
    recorded_at: nullable(moment),
    expires_at: moment,
    map: MapConfig,
  }),
);

type Opened = { owner: PublicUserRow; row: PositionRow | null; precision: PositionRow['precision']; expires_at: Date };

/** The position behind a live link; null until its owner reports one after the link was created. */
export async function openLocationLink(
  db: Queryable,
  link: LinkRow,
  services: Services,
): Promise<Static<typeof PublicLocation>> {
  const now = services.clock.now();
  const opened = await db.one<Opened>(sql`
    select ${publicUserJson('u')} as owner, k.precision, k.expires_at from location_links k join users u on u.id = k.owner_id
    where k.id = ${link.subject_id}`);
  const row = await db.maybe<PositionRow>(sql`
    select ${positionColumns('k')} from location_links k
      join users u on u.id = k.owner_id join locations l on l.user_id = k.owner_id and ${isInWindow(sql`k.created_at`, now)}
    where k.id = ${link.subject_id}`);
  await recordLinkView(services, link.owner_id, link.subject_id);
  const unknown = { latitude: null, longitude: null, accuracy_m: null, heading: null, speed_mps: null, battery: null };
  return {
    kind: 'location',
    user: presentUser(opened.owner, { services }),
    ...(row ? presentPosition(row) : { ...unknown, precision: opened.precision, recorded_at: null }),
    expires_at: wireTime(opened.expires_at),
    map: mapConfig(services, now),
  };
}
