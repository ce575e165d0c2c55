import { PublicUser } from '../../domain/accounts/accounts.ts';
import { Latitude, location_precisions, Longitude, personLocation, position } from '../../domain/location/positions.ts';
import { invalid } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { component, idOf, moment, nullable, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { readMoment } from '../../kernel/time.ts';

/** With whom an account shares its position. */
export const location_modes = ['off', 'selected', 'followers', 'contacts', 'public'] as const;
/** With whom an account shares its position. */
export type LocationMode = (typeof location_modes)[number];
const few = { maxItems: default_limits.location_viewers };

export const LocationSettings = component(
  'LocationSettings',
  object({
    mode: oneOf(...location_modes),
    people: Type.Array(idOf('usr'), { ...few, description: 'The people for `selected`.' }),
    viewers: Type.Array(PublicUser, { ...few, description: 'The same people with their names.' }),
    precision: oneOf(...location_precisions),
    expires_at: nullable(moment),
  }),
);

/** A typed timestamp. */
export const Moment = Type.String({ format: 'date-time', description: 'RFC 3339.' });

export const LocationReport = object({
  latitude: Latitude,
  longitude: Longitude,
  accuracy_m: Type.Number({ minimum: 0, maximum: 1e6 }),
  heading: optional(nullable(Type.Number({ minimum: 0, maximum: 360, description: 'Degrees from true north.' }))),
  speed_mps: optional(nullable(Type.Number({ minimum: 0, maximum: 1e5, description: 'Metres a second.' }))),
  battery: optional(nullable(Type.Number({ minimum: 0, maximum: 100, description: 'Per cent.' }))),
  recorded_at: Moment,
});

export const PersonLocation = component('PersonLocation', object(personLocation));

export const NearbyAccount = component(
  'NearbyAccount',
  object({
    user: PublicUser,
    distance_m: Type.Integer({ minimum: 0, description: 'In metres, from the cell of about 1 km, in steps of 1,000.' }),
    ...position,
  }),
);

export const LocationView = component(
  'LocationView',
  object({
    id: { ...idOf('view'), description: 'Of the latest view: the next one has another.' },
    viewer: nullable(PublicUser),
    link_id: nullable(idOf('lnk')),
    first_at: moment,
    last_at: moment,
    count: Type.Integer({ minimum: 1, description: 'Views at least ten minutes apart.' }),
  }),
);

export const LocationLink = component(
  'LocationLink',
  object({
    id: idOf('lnk'),
    url: Type.String(),
    precision: oneOf(...location_precisions),
    expires_at: moment,
    created_at: moment,
    view_count: Type.Integer({ minimum: 0 }),
  }),
);

/**
 * The typed end of sharing: in the future, and within `max_s`.
 * @throws ApiError `validation_failed` that names `expires_at`
 */
export function requireEnd(typed: string, now: Date, max_s: number): Date {
  const end = readMoment(typed) ?? invalid({ expires_at: 'is not a valid time' });
  if (end <= now) invalid({ expires_at: 'must be in the future' });
  if (end.getTime() - now.getTime() > max_s * 1000)
    invalid({ expires_at: `must be at most ${max_s / 3600} hours ahead` });
  return end;
}
