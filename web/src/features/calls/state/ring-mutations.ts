import type { Call, Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../../asterism.ts';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { cacheCall } from '../../../data/queries/call-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { rememberOwnRings } from './own-rings.ts';

/** A participant or callee of a call. */
export type CallParticipant = Call['participants'][number];

/** The target of adding somebody to a call. */
export type Target = Input<'calls', 'addParticipants'>['body']['to'][number];

/** Why somebody does not join, as a sentence; undefined for everybody else. */
export function refusalOf({ name, state }: CallParticipant): string | undefined {
  if (state === 'declined') return i18n.t('{name} declined', { name });
  if (state === 'no_answer') return i18n.t('{name} didn’t answer', { name });
  if (state === 'busy') return i18n.t('{name} is busy', { name });
  return state === 'failed' ? i18n.t('{name} couldn’t be reached', { name }) : undefined;
}

/** The full number, which only the caller sees. */
function knownNumber({ phone }: CallParticipant): string | undefined {
  return phone !== null && phone.startsWith('+') ? phone : undefined;
}

/** The target for calling somebody again; undefined where the reader does not know one. */
function targetOf(participant: CallParticipant): Target | undefined {
  if (participant.user !== null) return { user_id: participant.user.id };
  if (participant.contact_id !== null) return { contact_id: participant.contact_id };
  return undefined;
}

/** Whether the reader can ring somebody again. */
export function mayRingAgain(participant: CallParticipant): boolean {
  return targetOf(participant) !== undefined || knownNumber(participant) !== undefined;
}

async function ringAgain(participant: CallParticipant): Promise<Call> {
  const target = targetOf(participant);
  if (target !== undefined) return sdk.calls.addParticipants({ body: { to: [target] } });
  const number = knownNumber(participant) ?? '';
  const named = participant.name_is_default ? {} : { name: participant.name };
  return sdk.calls.bridgePhone({ body: { number, ...named } });
}

/** Rings somebody again. */
export function useRingAgain() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ringAgain,
    onSuccess: (call) => {
      rememberOwnRings(queries, call);
      cacheCall(queries, call);
    },
    onError: (error) => showToast(describeProblem(error)),
  });
}

/** Cancels a ring, or removes somebody from the call. */
export function useRemoveParticipant() {
  return useMutation({
    mutationFn: ({ id }: CallParticipant) => sdk.calls.removeParticipant({ path: { participant_id: id } }),
    // The result arrives by the stream, for everybody in the call.
    onError: (error) => showToast(describeProblem(error)),
  });
}

/** Adds somebody to the reader's call. */
export function useAddPerson() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ target }: { name: string; target: Target }) => sdk.calls.addParticipants({ body: { to: [target] } }),
    onSuccess: (call) => {
      rememberOwnRings(queries, call);
      cacheCall(queries, call);
    },
  });
}

/** Whether the reader may cancel a ring: a host any, others their own. */
export function mayCancelRing(participant: CallParticipant, is_theirs: boolean): boolean {
  return is_theirs || participant.contact_id !== null || knownNumber(participant) !== undefined;
}
