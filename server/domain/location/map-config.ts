/** The map configuration: the style for clients, and the token for our own map. */
import { component, moment, nullable, object, Type, type Static } from '../../kernel/schema.ts';
import type { Services } from '../../kernel/services.ts';
import { after, wireTime } from '../../kernel/time.ts';

/** How long a token for our own map is valid. */
const token_ttl_s = 60 * 60;

export const MapConfig = component(
  'MapConfig',
  object({
    provider: Type.String(),
    style_url: Type.String({ description: 'A MapLibre style; pass the token as `?token=`.' }),
    token: nullable(Type.String()),
    expires_at: nullable(moment),
    attribution: Type.String(),
    min_report_s: Type.Integer({ minimum: 1 }),
  }),
);

/** The map for clients: our own with a token that expires, or the operator's. */
export function mapConfig(services: Services, now: Date): Static<typeof MapConfig> {
  const { map_provider, public_url, secrets, limits } = services;
  const min_report_s = limits.location_report_s;
  if (map_provider)
    return {
      provider: new URL(map_provider.style_url).hostname,
      style_url: map_provider.style_url,
      token: map_provider.token,
      expires_at: null,
      attribution: '',
      min_report_s,
    };
  const expires_at = after(now, token_ttl_s);
  const end = Math.floor(expires_at.getTime() / 1000).toString(36);
  return {
    provider: 'asterism',
    style_url: `${public_url}/map/style.json`,
    token: `${end}.${secrets.sign('map', end)}`,
    expires_at: wireTime(expires_at),
    attribution: 'Natural Earth (public domain)',
    min_report_s,
  };
}

/** Whether a token for our own map is valid. */
export function isMapToken({ secrets }: Pick<Services, 'secrets'>, token: string, now: Date): boolean {
  const [end = '', signature = ''] = token.split('.');
  return (
    /^[0-9a-z]{1,10}$/.test(end) &&
    Number.parseInt(end, 36) * 1000 > now.getTime() &&
    secrets.verify('map', end, signature)
  );
}
