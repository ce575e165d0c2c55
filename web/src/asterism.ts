import { createAsterism, localTokenStore } from '@asterism/sdk';
import type { TokenPair, TokenStore } from '@asterism/sdk';
import { fetchEarly } from './early-answers.ts';
import { i18n } from './i18n/i18n.ts';

const shared = localTokenStore();
let own_session = shared.get()?.session_id;
let replaced: TokenPair | undefined;

/**
 * The tokens that all tabs share, while they are those of this page's session. Another tab may have signed in somebody
 * else, which a frozen one learns late: what this page still sends must not be sent as them.
 */
const store: TokenStore = {
  get() {
    const pair = shared.get();
    own_session ??= pair?.session_id;
    return pair?.session_id === own_session ? pair : undefined;
  },
  set(pair) {
    if (own_session !== pair.session_id) replaced = store.get() ?? replaced;
    own_session = pair.session_id;
    shared.set(pair);
  },
  clear() {
    replaced = store.get() ?? replaced;
    if (shared.get()?.session_id !== own_session) return;
    shared.clear();
    own_session = undefined;
  },
};

/** The SDK client of this page. */
export const sdk = createAsterism({
  base_url: '/v1',
  store,
  session_cookie: true,
  language: () => i18n.locale,
  fetch: fetchEarly,
});

/** Whether there is a session; only the service knows whether it is still valid. */
export function isSignedIn(): boolean {
  return sdk.session.get() !== undefined;
}

/** The session that all tabs share now, which another tab may have signed in. */
export const readSharedSession = (): string | undefined => shared.get()?.session_id;

/** The session that this page had before; undefined if it has had no other. */
export const readReplacedSession = (): TokenPair | undefined => replaced;
