import { isHosting } from '../../domain/calls/state/call-people.ts';
import { participantOf, selectActiveCall } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';
import { mute } from './rules/mute.ts';

export const muteOthers = endpoint({
  id: 'muteOthers',
  route: 'POST /calls/active/mute',
  summary: 'Mute everyone else',
  description:
    'For the host and co-hosts. Muted participants can unmute themselves, and learn who muted them by `call.muted`.',
  throttle: 'call_update',
  extension: true,
  reply: object({
    failed: Type.Array(idOf('part'), {
      maxItems: default_limits.call_participants,
      description: 'The participants whom the media server could not mute.',
    }),
  }),
  errors: ['not_found', 'forbidden'],
  async prepare({ caller, services }) {
    const call = found(await selectActiveCall(services.db, caller.user_id));
    if (!isHosting(call, caller.user_id)) fail('forbidden', { message: 'Only a host can mute others.' });
    const own = found(participantOf(call, caller.user_id));
    return mute(
      services,
      call,
      own,
      call.participants.filter((one) => one.state === 'joined' && one !== own),
    );
  },
  async run({ prepared: failed }) {
    return { failed };
  },
});
