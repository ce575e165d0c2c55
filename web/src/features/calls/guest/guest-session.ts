import { createAsterism, localTokenStore } from '@asterism/sdk';
import type { Asterism, Reply } from '@asterism/sdk';

export type CallGuest = Reply<'callGuests', 'getCallGuest'>;
type CallGuestToken = Reply<'callGuests', 'createCallGuest'>;

/** The service as a guest of one call speaks with it; the token lasts for as long as the tab, over a reload too. */
export type GuestClient = {
  readonly sdk: Asterism;
  /** Whether a token is held here; the service decides whether it is still good. */
  isKnown(): boolean;
  /** Keeps the token of a guest who has just asked to come in. */
  enter(guest: CallGuestToken): void;
};

/** Makes the client of the guest of a call. */
export function openGuestClient(join_code: string): GuestClient {
  const store = localTokenStore(`asterism.guest.${join_code}`, sessionStorage);
  const sdk = createAsterism({ base_url: '/v1', store });
  return {
    sdk,
    isKnown: () => store.get() !== undefined,
    enter: ({ token, expires_at, conference_id }) =>
      // A guest asks again when their time is over: there is nothing to renew.
      store.set({ token, expires_at, refresh_expires_at: expires_at, session_id: conference_id }),
  };
}
