import { isHosting } from '../../domain/calls/state/call-people.ts';
import { isIn } from '../../domain/calls/state/transition.ts';
import { withholdRecording } from '../../domain/calls/stop-recording.ts';
import { updateCall } from '../../domain/calls/update-call.ts';
import {
  Call,
  chat_history_values,
  guests_values,
  presentCall,
  privacy_values,
  selectActiveCall,
} from '../../domain/calls/state/calls.ts';
import { decideAdmission } from '../../domain/calls/link-guests.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { selectAllowedUninvited, updateAccess } from './queries.ts';

export const setCallPrivacy = endpoint({
  id: 'setCallPrivacy',
  route: 'PATCH /calls/active',
  summary: 'Change the privacy of your call',
  description: 'For the host and co-hosts.',
  throttle: 'call_update',
  body: object({
    privacy: optional(oneOf(...privacy_values)),
    chat_history: optional(oneOf(...chat_history_values)),
    locked: optional(
      Type.Boolean({
        description:
          'When locked, only people who were called can join, and those whose connection was lost can return.',
      }),
    ),
    guests: optional({
      ...oneOf(...guests_values),
      description: 'Whether people without an account can join by the link: `off`, `ask` (you admit them), or `open`.',
    }),
  }),
  reply: Call,
  errors: ['not_found', 'forbidden'],
  async run({ caller, body, ...change }) {
    const active = found(await selectActiveCall(change.db, caller.user_id));
    const call = await updateCall(change, active.id, async (update) => {
      const { call: now } = update;
      if (!isHosting(now, caller.user_id)) fail('forbidden', { message: 'Only a host can change who may join.' });
      const { privacy = now.privacy, chat_history = now.chat_history, guests = now.guests, locked = now.locked } = body;
      if (
        privacy === now.privacy &&
        chat_history === now.chat_history &&
        guests === now.guests &&
        locked === now.locked
      )
        return false;
      Object.assign(now, { privacy, chat_history, guests, locked });
      await updateAccess(change.db, now);
      if (guests === 'off') await decideAdmission(change, now, 'declined');
      // People who joined by the link are removed when it no longer admits them; callees and phones that dialled in may
      // stay.
      const came = now.participants.filter((one) => isIn(one) && one.user_id && !one.invited && one.role === 'guest');
      const may_stay = await selectAllowedUninvited(change.db, now.id);
      const leaving = came.filter(({ user_id }) => !may_stay.has(user_id));
      await withholdRecording(change, now.id, leaving);
      for (const one of leaving) update.apply(one, 'departed', { grant: 'returned' });
      return true;
    });
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
