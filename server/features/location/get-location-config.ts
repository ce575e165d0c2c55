import { MapConfig, mapConfig } from '../../domain/location/map-config.ts';
import { endpoint } from '../../kernel/endpoint.ts';

export const getLocationConfig = endpoint({
  id: 'getLocationConfig',
  route: 'GET /location/config',
  summary: 'Get the map configuration',
  description: 'With a token for the map provider.',
  reply: MapConfig,
  async run({ now, services }) {
    return mapConfig(services, now);
  },
});
