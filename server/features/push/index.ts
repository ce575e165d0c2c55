import { feature } from '../../kernel/endpoint.ts';
import { declinePushedCall } from './decline-pushed-call.ts';
import { deletePushToken } from './delete-push-token.ts';
import { getPushKey } from './get-push-key.ts';
import { registerPushToken } from './register-push-token.ts';
import { renewPushToken } from './renew-push-token.ts';
import { lifecycle } from './lifecycle.ts';

export const push = feature({
  area: 'push',
  title: 'Push',
  endpoints: [registerPushToken, deletePushToken, getPushKey, renewPushToken, declinePushedCall],
  lifecycle,
});
