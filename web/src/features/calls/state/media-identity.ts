import type { Call } from '@asterism/sdk';

type CallParticipant = Call['participants'][number];

/** The identity of a participant in the media room. */
export interface MediaIdentity {
  readonly identity: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * A media participant's identity in the call. A phone that dialled in by LiveKit's SIP service has an identity of that
 * service, with ours in an attribute; nobody else can set it, since our grants do not allow it.
 */
export function identityOf({ identity, attributes }: MediaIdentity): string {
  return attributes['asterism.identity'] ?? identity;
}

/** The participant of a media identity: an account by its user id, a phone by its participant id. */
export function participantOf(call: Pick<Call, 'participants'>, media: MediaIdentity): CallParticipant | undefined {
  const identity = identityOf(media);
  return call.participants.find((one) => one.id === identity || one.user?.id === identity);
}

/** Whether a participant is a phone: neither a person with an account nor a guest without one. */
export const isPhone = ({ user, guest }: CallParticipant): boolean => user === null && guest === null;

/** Whether it is the phone of somebody with an account, who then appears twice. */
export function isOwnPhone(media: MediaIdentity, who: CallParticipant | undefined): boolean {
  return who !== undefined && who.user !== null && identityOf(media) === who.id;
}
