import { createAsterism, localTokenStore } from '@asterism/sdk';
import { i18n } from './i18n/i18n.ts';

/** The one client of this page; the tokens are shared by all tabs of this origin. */
export const sdk = createAsterism({
  base_url: '/v1',
  store: localTokenStore(),
  session_cookie: true,
  language: () => i18n.locale,
});

/** Whether a session is held here; the service decides whether it is still good. */
export function isSignedIn(): boolean {
  return sdk.session.get() !== undefined;
}
