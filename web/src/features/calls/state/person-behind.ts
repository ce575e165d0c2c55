import type { Call } from '@asterism/sdk';

type CallParticipant = Call['participants'][number];

/** What of somebody in the media room says who they are. */
export interface MediaIdentity {
  readonly identity: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Who somebody in the media room is to the call. A telephone that dialled in by LiveKit's SIP service is named by that
 * service, and ours is written beside it; nobody else can write there, since no grant of the service lets them.
 */
export function identityOf({ identity, attributes }: MediaIdentity): string {
  return attributes['asterism.identity'] ?? identity;
}

/** The one of the call whom a media identity belongs to: an account comes under its own, a telephone under its place's. */
export function personBehind(call: Pick<Call, 'participants'>, media: MediaIdentity): CallParticipant | undefined {
  const identity = identityOf(media);
  return call.participants.find((one) => one.id === identity || one.user?.id === identity);
}

/** Whether it is the telephone of somebody who has an account: they come a second time, as their place in the call. */
export function isOwnPhone(media: MediaIdentity, who: CallParticipant | undefined): boolean {
  return who !== undefined && who.user !== null && identityOf(media) === who.id;
}
