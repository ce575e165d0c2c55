import { updateCall } from '../../domain/calls/update-call.ts';
import { isHosting } from '../../domain/calls/state/call-people.ts';
import { selectActiveCall } from '../../domain/calls/state/calls.ts';
import { barLinkGuest } from '../../domain/calls/link-guests.ts';
import { preventRejoin } from '../../domain/calls/participants.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const removeParticipant = endpoint({
  id: 'removeParticipant',
  route: 'DELETE /calls/active/participants/{participant_id}',
  summary: 'Remove a participant',
  description:
    'Removes a participant, or stops ringing them. For the host, the person who added them, and co-hosts, who cannot remove each other or the host.',
  extension: true,
  path: object({ participant_id: idOf('part') }),
  errors: ['not_found', 'forbidden'],
  async run({ caller, path, ...change }) {
    const active = found(await selectActiveCall(change.db, caller.user_id));
    await updateCall(change, active.id, async (update) => {
      const participant = found(update.call.participants.find(({ id }) => id === path.participant_id));
      const is_theirs =
        participant.user_id === caller.user_id ||
        (participant.state === 'ringing' && participant.invited_by === caller.user_id);
      // A host must not remove the owner of the room or event in which the call takes place.
      const is_owner = participant.user_id !== null && participant.user_id === update.call.place_owner_id;
      const is_own_call = update.call.host_id === caller.user_id;
      const may_remove = is_own_call || (participant.role === 'guest' && isHosting(update.call, caller.user_id));
      if (!may_remove && !is_theirs) fail('forbidden', { message: 'Only a host can remove participants.' });
      if (is_owner && !is_theirs) fail('forbidden');
      // If they are called again, they return as a guest.
      if (may_remove && !is_theirs) update.setRole(participant, 'guest');
      const removal = { grant: 'returned', removed: participant.user_id !== caller.user_id && !is_owner } as const;
      if (removal.removed && participant.guest_id) await barLinkGuest(change, active.id, participant.guest_id);
      if (update.apply(participant, 'ring_over', removal) || update.apply(participant, 'departed', removal)) return;
      // Participants who have left or are disconnected cannot rejoin either.
      if (removal.removed) await preventRejoin(change, active.id, participant);
    });
  },
});
