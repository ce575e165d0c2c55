import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { replaceDevice, requireDevice } from './queries.ts';
import { DeviceProof, hashDevice, PushToken, readDevice, Subscription } from './schemas.ts';

export const renewPushToken = endpoint({
  id: 'renewPushToken',
  route: 'POST /push-token/renewal',
  summary: 'Renew a browser subscription',
  description: 'Replaces an old subscription without a session.',
  gate: 'public',
  idempotent: false,
  extension: true,
  body: object({ device: DeviceProof, subscription: Subscription }),
  reply: PushToken,
  errors: ['not_found'],
  async run({ body: { device, subscription }, ...change }) {
    const owner = await requireDevice(change, device);
    const target = readDevice({ platform: 'web', subscription }, change.services.push.isAllowed);
    const renewed = {
      hash: hashDevice(subscription.endpoint),
      platform: 'web',
      sealed: change.services.secrets.seal(target),
    };
    // A session has one device per platform: this replaces the old subscription.
    const { created_at } = found(await replaceDevice(change, owner, renewed));
    return { platform: 'web' as const, created_at: wireTime(created_at) };
  },
});
