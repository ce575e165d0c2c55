import { presentUser } from '../../domain/accounts/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, Type } from '../../kernel/schema.ts';
import { selectNearby } from './queries.ts';
import { Latitude, Longitude, presentPosition } from '../../domain/location/positions.ts';
import { recordViews } from '../../domain/location/views.ts';
import { NearbyAccount } from './schemas.ts';

export const discoverLocation = endpoint({
  id: 'discoverLocation',
  route: 'GET /location/discover',
  summary: 'List public accounts near a place',
  throttle: 'location_discover',
  query: object({
    ...offsetQuery,
    latitude: Latitude,
    longitude: Longitude,
    radius_m: Type.Integer({ minimum: 100, maximum: 50_000 }),
  }),
  reply: listOf(NearbyAccount),
  async run({ query, caller, db, now, services }) {
    const { latitude, longitude, radius_m, offset = 0 } = query;
    const rows = await selectNearby(db, caller.user_id, { latitude, longitude }, radius_m, now);
    const page = toPage(rows.slice(offset), query, (row) => ({
      user: presentUser(row.user, { services }),
      distance_m: row.distance_m,
      ...presentPosition(row),
    }));
    await recordViews(
      services,
      page.items.map(({ user }) => user.id),
      [caller.user_id],
      'search',
    );
    return page;
  },
});
