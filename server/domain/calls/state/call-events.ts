/** Events for the people of a call. */
import { event } from '../../../kernel/event.ts';
import { idOf, object, Type } from '../../../kernel/schema.ts';
import { PublicUser } from '../../accounts/accounts.ts';
import { Call } from './calls.ts';

export const callRinging = event('call.ringing', 'Someone is calling you.', object({ call: Call }));
export const callUpdated = event('call.updated', 'A call in which you take part has changed.', object({ call: Call }));
export const callEnded = event(
  'call.ended',
  'A call in which you took part, or that rang you, has ended.',
  object({ call: Call }),
);

export const callReaction = event(
  'call.reaction',
  'A participant of your call sent a reaction. It is not stored and never replayed.',
  object({ join_code: Type.String(), participant_id: idOf('part'), emoji: Type.String() }),
);

export const callMuted = event(
  'call.muted',
  'A host is muting you in a call; you can unmute yourself. It is not stored and never replayed.',
  object({ join_code: Type.String(), by: PublicUser }),
);

export const callCaption = event(
  'call.caption',
  'A caption of speech in your call. It is not stored and never replayed.',
  object({ join_code: Type.String(), participant_id: idOf('part'), text: Type.String() }),
);
