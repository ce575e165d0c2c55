import { createAsterism, localTokenStore } from '@asterism/sdk';
import type { Asterism, Reply } from '@asterism/sdk';

export type CallGuest = Reply<'callGuests', 'getCallGuest'>;
type CallGuestToken = Reply<'callGuests', 'createCallGuest'>;

/** The SDK client of a guest of one call; its token lives as long as the tab, across reloads. */
export type GuestClient = {
  readonly sdk: Asterism;
  /** Whether there is a token; only the service knows whether it is still valid. */
  isKnown(): boolean;
  /** Stores the token of a new guest. */
  enter(guest: CallGuestToken): void;
  /** Forgets the token of a guest who withdrew. */
  forget(): void;
};

/** Creates the client for guests of a call. */
export function openGuestClient(join_code: string): GuestClient {
  const store = localTokenStore(`asterism.guest.${join_code}`, sessionStorage);
  const sdk = createAsterism({ base_url: '/v1', store });
  return {
    sdk,
    isKnown: () => store.get() !== undefined,
    enter: ({ token, expires_at, conference_id }) =>
      // A guest whose token has expired requests admission again: there is no refresh.
      store.set({ token, expires_at, refresh_expires_at: expires_at, session_id: conference_id }),
    forget: () => store.clear(),
  };
}
