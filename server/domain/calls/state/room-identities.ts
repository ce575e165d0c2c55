/** The identities of participants in the media server's room of a call. */

/** Of a participant, the account, if there is one, and the identifier in the call. */
type Identified = { id: string; user_id: string | null };

/** The identity of a participant's client in the room. */
export const identityOf = (one: Identified): string => one.user_id ?? one.id;

/**
 * All identities that a participant has or had in the room: their client's, and that of their own phone, which is always
 * the participant's identifier. What applies to the person in the room applies to each of these.
 */
export const identitiesOf = (one: Identified & { leg: object | null }): string[] =>
  one.user_id !== null && one.leg ? [one.user_id, one.id] : [identityOf(one)];
