import { endpoint } from '../../kernel/endpoint.ts';
import { createGrant } from '../../kernel/security/grant.ts';
import { component, moment, object, Type } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

const RealtimeGrant = component(
  'RealtimeGrant',
  object({
    url: Type.String({ description: 'A complete websocket address, without secrets.' }),
    token: Type.String({ description: 'Good for one connection within 60 seconds.' }),
    expires_at: moment,
    last_event_id: Type.String({ description: 'The position from which a new client resumes.' }),
  }),
);

export const createRealtimeGrant = endpoint({
  id: 'createRealtimeGrant',
  route: 'POST /realtime/grant',
  summary: 'Get a realtime grant',
  gate: 'guest',
  idempotent: false,
  reply: RealtimeGrant,
  async run({ caller, services }) {
    const { token, expires_at } = createGrant(services, caller);
    return {
      url: `${services.public_url.replace(/^http/, 'ws')}/v1/realtime/socket`,
      token,
      expires_at: wireTime(expires_at),
      last_event_id: services.realtime.headId(),
    };
  },
});
