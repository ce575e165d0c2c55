import { endpoint } from '../../kernel/endpoint.ts';
import { component, nullable, object, oneOf, Type } from '../../kernel/schema.ts';
import { platforms } from './schemas.ts';

const PushKey = component(
  'PushKey',
  object({
    vapid_public_key: nullable(
      Type.String({ description: 'For `applicationServerKey` of a web subscription (RFC 8292), base64url.' }),
    ),
    platforms: Type.Array(oneOf(...platforms), {
      maxItems: platforms.length,
      description: 'The platforms this service can push to.',
    }),
  }),
);

export const getPushKey = endpoint({
  id: 'getPushKey',
  route: 'GET /push-token/key',
  summary: 'Get the push key',
  description: 'What a client needs to register a device.',
  gate: 'token',
  extension: true,
  reply: PushKey,
  run: ({ services: { push } }) =>
    Promise.resolve({ vapid_public_key: push.vapid_public_key ?? null, platforms: [...push.platforms] }),
});
