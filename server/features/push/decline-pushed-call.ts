import { declineRing } from '../../domain/calls/hang-up.ts';
import { JoinCode } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';
import { requireDevice } from './queries.ts';
import { DeviceProof } from './schemas.ts';

export const declinePushedCall = endpoint({
  id: 'declinePushedCall',
  route: 'POST /push-token/decline',
  summary: 'Decline a call from its notification',
  description: 'Without a session.',
  gate: 'public',
  idempotent: false,
  extension: true,
  body: object({ device: DeviceProof, join_code: JoinCode }),
  errors: ['not_found', 'already_decided'],
  async run({ body: { device, join_code }, ...change }) {
    await declineRing(change, join_code, await requireDevice(change, device));
  },
});
