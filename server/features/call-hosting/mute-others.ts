import { isHosting } from '../../domain/calls/state/call-people.ts';
import { participantOf, selectActiveCall } from '../../domain/calls/state/calls.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { muteAtServer } from './rules/mute.ts';

export const muteOthers = endpoint({
  id: 'muteOthers',
  route: 'POST /calls/active/mute',
  summary: 'Mute everyone else',
  description: 'For the host and co-hosts. Muted participants can unmute themselves.',
  throttle: 'call_update',
  extension: true,
  errors: ['not_found', 'forbidden'],
  async run({ caller, services, db, afterCommit }) {
    const call = found(await selectActiveCall(db, caller.user_id));
    if (!isHosting(call, caller.user_id)) fail('forbidden', { message: 'Only a host can mute others.' });
    const own = participantOf(call, caller.user_id);
    const others = call.participants.filter((one) => one.state === 'joined' && one !== own);
    afterCommit(() => void muteAtServer(services, call, others));
  },
});
