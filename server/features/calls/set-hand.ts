import { isHosting } from '../../domain/calls/state/call-people.ts';
import { Call, handOf, JoinCode, participantOf, presentCall } from '../../domain/calls/state/calls.ts';
import { isIn } from '../../domain/calls/state/transition.ts';
import { updateOpenCall } from '../../domain/calls/update-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import { setHandOf } from './queries.ts';

export const setHand = endpoint({
  id: 'setHand',
  route: 'PUT /calls/{join_code}/hand',
  gate: 'guest',
  summary: 'Raise or lower your hand',
  description:
    'The host and co-hosts can also lower the hands of others. All participants see the order in which hands were raised.',
  throttle: 'call_update',
  extension: true,
  path: object({ join_code: JoinCode }),
  body: object({
    raised: Type.Boolean(),
    participant_id: optional({
      ...idOf('part'),
      description: 'The participant whose hand a host lowers; yourself by default.',
    }),
  }),
  reply: Call,
  errors: ['forbidden'],
  async run({ caller, path, body: { raised, participant_id }, ...change }) {
    const { db, now } = change;
    const caller_id = callerIdOf(caller);
    const updated = await updateOpenCall(change, path.join_code, caller_id, async ({ call }) => {
      const own = participantOf(call, caller_id);
      if (!own || !isIn(own)) fail('not_found');
      const participant = participant_id ? found(call.participants.find(({ id }) => id === participant_id)) : own;
      if (participant !== own && (raised || !isHosting(call, caller_id)))
        fail('forbidden', { message: 'Only a host can lower the hands of others.' });
      if ((handOf(participant) !== null) === raised) return false;
      participant.hand_raised_at = raised ? now : null;
      await setHandOf(db, participant);
      return true;
    });
    return presentCall(updated, viewerOf({ caller, ...change }));
  },
});
