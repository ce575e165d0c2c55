import { endpoint } from '../../kernel/endpoint.ts';
import { selectSettings } from './queries.ts';
import { presentSettings } from './rules/settings.ts';
import { LocationSettings } from './schemas.ts';

export const getLocationSettings = endpoint({
  id: 'getLocationSettings',
  route: 'GET /location/settings',
  summary: 'Get your location sharing settings',
  reply: LocationSettings,
  async run({ caller, db, now, services }) {
    return presentSettings(await selectSettings(db, caller.user_id, now), { services });
  },
});
