import { createAsterism, localTokenStore } from '@asterism/sdk';
import { fetchEarly } from './early-answers.ts';
import { i18n } from './i18n/i18n.ts';

/** The SDK client of this page; its tokens are shared by all tabs of this origin. */
export const sdk = createAsterism({
  base_url: '/v1',
  store: localTokenStore(),
  session_cookie: true,
  language: () => i18n.locale,
  fetch: fetchEarly,
});

/** Whether there is a session; only the service knows whether it is still valid. */
export function isSignedIn(): boolean {
  return sdk.session.get() !== undefined;
}
