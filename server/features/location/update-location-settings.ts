import { requireAccount } from '../../domain/accounts/accounts.ts';
import { lockPairs } from '../../domain/visibility/pairs.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { idOf, nullable, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { locationStopped } from './events.ts';
import { lockSettings, replaceViewers, selectSelectable, selectSettings, writeSettings } from './queries.ts';
import { selectConnectedViewers } from './rules/positions.ts';
import { applyChange, presentSettings } from './rules/settings.ts';
import { location_precisions } from '../../domain/location/positions.ts';
import { location_modes, LocationSettings, Moment } from './schemas.ts';

export const updateLocationSettings = endpoint({
  id: 'updateLocationSettings',
  route: 'PATCH /location/settings',
  summary: 'Update your location sharing settings',
  // Whoever sees the position is informed of its end, which is not sent as rarely as positions.
  throttle: 'shared_update',
  body: object({
    mode: optional(oneOf(...location_modes)),
    people: optional(
      Type.Array(idOf('usr'), { maxItems: default_limits.location_viewers, description: 'The people for `selected`.' }),
    ),
    precision: optional(oneOf(...location_precisions)),
    expires_at: optional(nullable(Moment)),
  }),
  reply: LocationSettings,
  async run({ body, caller, services, db, now, afterCommit }) {
    const { user_id } = caller;
    await lockSettings(db, user_id);
    const before = await selectSettings(db, user_id, now);
    const next = applyChange(before, body, now);
    if (next.mode === 'public' && (await requireAccount(db, user_id)).reach.find !== 'everyone')
      invalid({ mode: 'is only possible while your reach `find` is everyone' });
    const watching = before.mode === 'off' ? [] : await selectConnectedViewers(db, user_id);
    if (body.people) {
      // Before the check for blocks: a block removes only selections that it sees.
      await lockPairs(db, user_id, body.people);
      const known = await selectSelectable(db, user_id, body.people);
      const at = body.people.findIndex((id) => !known.has(id));
      if (at >= 0) invalid({ [`people.${at}`]: 'is not an account you can select' });
      await replaceViewers(db, user_id, body.people);
    }
    await writeSettings(db, user_id, next, before.mode === 'off', now);
    // People who no longer see the position are notified, so that it disappears from their map at once.
    const left = new Set(next.mode === 'off' ? [] : await selectConnectedViewers(db, user_id));
    const stopped = watching.filter((id) => !left.has(id));
    afterCommit(() => services.broadcast(locationStopped, stopped, { user_id }));
    return presentSettings(await selectSettings(db, user_id, now), { services });
  },
});
