/** Events for the people of a call. */
import { event } from '../../kernel/event.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';
import { Call } from './calls.ts';

export const callRinging = event('call.ringing', 'Somebody calls you.', object({ call: Call }));
export const callUpdated = event('call.updated', 'A call that you are part of has changed.', object({ call: Call }));
export const callEnded = event(
  'call.ended',
  'A call that you were part of or rung by has ended.',
  object({ call: Call }),
);

export const callReaction = event(
  'call.reaction',
  'Somebody in a call that you are in reacts to what is said.',
  object({ join_code: Type.String(), participant_id: idOf('part'), emoji: Type.String() }),
);

export const callCaption = event(
  'call.caption',
  'What somebody in a call that you are in just said. It is stored nowhere: whoever is away hears nothing of it.',
  object({ join_code: Type.String(), participant_id: idOf('part'), text: Type.String() }),
);
