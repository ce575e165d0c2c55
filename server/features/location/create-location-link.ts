import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { location_precisions } from '../../domain/location/positions.ts';
import { insertLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, oneOf, optional } from '../../kernel/schema.ts';
import { insertLocationLink, lockSettings } from './queries.ts';
import { presentLink } from './rules/links.ts';
import { LocationLink, Moment, requireEnd } from './schemas.ts';

const max_link_s = 24 * 60 * 60;

export const createLocationLink = endpoint({
  id: 'createLocationLink',
  route: 'POST /location/links',
  summary: 'Create a live location link',
  body: object({ expires_at: Moment, precision: optional(oneOf(...location_precisions)) }),
  reply: LocationLink,
  status: [201],
  errors: ['plan_limit_reached'],
  async run({ body, caller, ...change }) {
    const { db, now } = change;
    const expires_at = requireEnd(body.expires_at, now, max_link_s);
    const { precision = 'exact' } = body;
    const link = { id: change.id('lnk'), owner_id: caller.user_id, precision, created_at: now, expires_at };
    await lockSettings(db, caller.user_id);
    if (!(await insertLocationLink(db, link, plan_limits[caller.tier].location_links))) fail('plan_limit_reached');
    const sealed = await insertLink(change, {
      kind: 'location',
      subject_id: link.id,
      owner_id: caller.user_id,
      expires_at,
    });
    return presentLink({ ...link, sealed, view_count: 0 }, change);
  },
});
