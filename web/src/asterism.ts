import { createAsterism, localTokenStore } from '@asterism/sdk';

/** The one client of this page; the tokens are shared by all tabs of this origin. */
export const sdk = createAsterism({ base_url: '/v1', store: localTokenStore(), session_cookie: true });

/** Whether a session is held here; the service decides whether it is still good. */
export function isSignedIn(): boolean {
  return sdk.session.get() !== undefined;
}
