import { expect, test } from 'vitest';
import { createAsterism } from './client.ts';
import { refreshOnce } from './refresh-lock.ts';
import { memoryTokenStore } from './token-store.ts';
import type { TokenPair, TokenStore } from './token-store.ts';

function pair(name: string): TokenPair {
  const at = '2030-01-01T00:00:00Z';
  return { token: name, refresh_token: `${name}-r`, expires_at: at, refresh_expires_at: at, session_id: 'ses_1' };
}

/** A store that delays the writes of another tab: an update becomes visible only when the test releases it. */
function delayedStore(of: TokenStore): { store: TokenStore; arrive: () => void } {
  const delayed = memoryTokenStore(of.get());
  return {
    store: { get: delayed.get, set: of.set, clear: of.clear },
    arrive: () => {
      const now = of.get();
      if (now !== undefined) delayed.set(now);
    },
  };
}

/** A service that accepts only the access token "new", and each refresh token once. */
function startFetch() {
  const used_tokens: string[] = [];
  const fetchOnce = (address: string | URL | Request, init?: RequestInit) => {
    const respond = (status: number, body: object) => Promise.resolve(new Response(JSON.stringify(body), { status }));
    const invalid = { error: { code: 'token_invalid', message: 'Sign in again.' } };
    if (String(address).endsWith('/auth/refresh')) {
      const { refresh_token } = JSON.parse(String(init?.body)) as { refresh_token: string };
      used_tokens.push(refresh_token);
      return used_tokens.length > 1 ? respond(401, invalid) : respond(200, { ...pair('new'), token_type: 'bearer' });
    }
    const headers = new Headers(init?.headers);
    return headers.get('authorization') === 'Bearer new' ? respond(200, { id: 'usr_1' }) : respond(401, invalid);
  };
  return { used_tokens, fetchOnce };
}

test('a tab that does not see the refreshed tokens of another tab yet waits, and uses no refresh token twice', async () => {
  const { used_tokens, fetchOnce } = startFetch();
  const here = memoryTokenStore(pair('shared-old'));
  const there = delayedStore(here);
  const open = (store: TokenStore) => createAsterism({ base_url: 'http://localhost/v1', store, fetch: fetchOnce });
  await open(here).me.getMe();
  const waiting = open(there.store).me.getMe();
  const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 60, 'still waiting'))]);
  expect(early).toBe('still waiting');
  there.arrive();
  expect(await waiting).toEqual({ id: 'usr_1' });
  expect(used_tokens).toEqual(['shared-old-r']);
});

test('a second refresh runs after the first one failed', async () => {
  const attempts: string[] = [];
  const first = refreshOnce(
    'lost-token',
    () => false,
    () => {
      attempts.push('first');
      return Promise.reject(new Error('no answer'));
    },
  );
  const second = refreshOnce(
    'lost-token',
    () => false,
    () => {
      attempts.push('second');
      return Promise.resolve();
    },
  );
  await expect(first).rejects.toThrow('no answer');
  await second;
  expect(attempts).toEqual(['first', 'second']);
});

test('a request is not repeated with the session of another account that signed in meanwhile', async () => {
  const other = { ...pair('other'), session_id: 'ses_2' };
  const bearers: (string | null)[] = [];
  const store = memoryTokenStore(pair('shared-gone'));
  const fetchOnce = (_address: string | URL | Request, init?: RequestInit) => {
    const respond = (status: number, body: object) => Promise.resolve(new Response(JSON.stringify(body), { status }));
    const bearer = new Headers(init?.headers).get('authorization');
    bearers.push(bearer);
    if (bearer === 'Bearer other') return respond(200, { id: 'tag_1' });
    // Another person signs in, in this page or another tab, while the request is in flight.
    store.set(other);
    return respond(401, { error: { code: 'token_invalid', message: 'Sign in again.' } });
  };
  const sdk = createAsterism({ base_url: 'http://localhost/v1', store, fetch: fetchOnce });
  await expect(sdk.tags.createTag({ body: { name: 'ada' } })).rejects.toMatchObject({ code: 'token_invalid' });
  expect(bearers).toEqual(['Bearer shared-gone']);
  expect(store.get()).toEqual(other);
});
