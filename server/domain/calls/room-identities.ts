/** The identities of participants in the media server's room of a call. */
import type { ParticipantRow } from './calls.ts';

/** The identity of a participant's client in the room. */
export const identityOf = (one: Pick<ParticipantRow, 'user_id' | 'id'>): string => one.user_id ?? one.id;

/**
 * All identities that a participant has or had in the room: their client's, and that of their own phone, which is always
 * the participant's identifier. Whatever applies to the person in the room applies to each of them.
 */
export const identitiesOf = (one: Pick<ParticipantRow, 'user_id' | 'id'> & { leg: object | null }): string[] =>
  one.user_id !== null && one.leg ? [one.user_id, one.id] : [identityOf(one)];
