import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { wireTime } from '../../kernel/time.ts';
import { replaceDevice } from './queries.ts';
import { Device, hashDevice, PushToken, readDevice } from './schemas.ts';

export const registerPushToken = endpoint({
  id: 'registerPushToken',
  route: 'POST /push-token',
  summary: 'Register a device for push notifications',
  body: Device,
  reply: PushToken,
  status: [201, 200],
  async run({ caller, body, ...change }) {
    const target = readDevice(body, change.services.push.isAllowed);
    if (!change.services.push.platforms.includes(target.platform))
      invalid({ platform: 'is not supported by this service' });
    const hash = hashDevice(target.platform === 'web' ? target.subscription.endpoint : target.token);
    const sealed = change.services.secrets.seal(target);
    const made = await replaceDevice(change, caller, { hash, platform: target.platform, sealed });
    if (!made) fail('token_invalid');
    return reply(made.known ? 200 : 201, { platform: target.platform, created_at: wireTime(made.created_at) });
  },
});
