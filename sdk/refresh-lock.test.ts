import { expect, test } from 'vitest';
import { createAsterism } from './client.ts';
import { renewOnce } from './refresh-lock.ts';
import { memoryTokenStore } from './token-store.ts';
import type { TokenPair, TokenStore } from './token-store.ts';

function pair(name: string): TokenPair {
  const at = '2030-01-01T00:00:00Z';
  return { token: name, refresh_token: `${name}-r`, expires_at: at, refresh_expires_at: at, session_id: 'ses_1' };
}

/** A tab's view of what another tab writes: an update becomes visible only when the test releases it. */
function lateView(of: TokenStore): { store: TokenStore; arrive: () => void } {
  const seen = memoryTokenStore(of.get());
  return {
    store: { get: seen.get, set: of.set, clear: of.clear },
    arrive: () => {
      const now = of.get();
      if (now !== undefined) seen.set(now);
    },
  };
}

/** A service that accepts only the access token "new", and each refresh token once. */
function startFetch() {
  const spent: string[] = [];
  const fetchOnce = (address: string | URL | Request, init?: RequestInit) => {
    const say = (status: number, body: object) => Promise.resolve(new Response(JSON.stringify(body), { status }));
    const invalid = { error: { code: 'token_invalid', message: 'Sign in again.' } };
    if (String(address).endsWith('/auth/refresh')) {
      const { refresh_token } = JSON.parse(String(init?.body)) as { refresh_token: string };
      spent.push(refresh_token);
      return spent.length > 1 ? say(401, invalid) : say(200, { ...pair('new'), token_type: 'bearer' });
    }
    const headers = new Headers(init?.headers);
    return headers.get('authorization') === 'Bearer new' ? say(200, { id: 'usr_1' }) : say(401, invalid);
  };
  return { spent, fetchOnce };
}

test('a tab that does not see yet what another has renewed waits, and spends no token twice', async () => {
  const { spent, fetchOnce } = startFetch();
  const here = memoryTokenStore(pair('shared-old'));
  const there = lateView(here);
  const open = (store: TokenStore) => createAsterism({ base_url: 'http://localhost/v1', store, fetch: fetchOnce });
  await open(here).me.getMe();
  const waiting = open(there.store).me.getMe();
  const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 60, 'still waiting'))]);
  expect(early).toBe('still waiting');
  there.arrive();
  expect(await waiting).toEqual({ id: 'usr_1' });
  expect(spent).toEqual(['shared-old-r']);
});

test('the next may try when the first could not', async () => {
  const tried: string[] = [];
  const first = renewOnce(
    'lost-token',
    () => false,
    () => {
      tried.push('first');
      return Promise.reject(new Error('no answer'));
    },
  );
  const second = renewOnce(
    'lost-token',
    () => false,
    () => {
      tried.push('second');
      return Promise.resolve();
    },
  );
  await expect(first).rejects.toThrow('no answer');
  await second;
  expect(tried).toEqual(['first', 'second']);
});

test('what somebody began is not done by whoever signed in meanwhile', async () => {
  const other = { ...pair('other'), session_id: 'ses_2' };
  const done: (string | null)[] = [];
  const store = memoryTokenStore(pair('shared-gone'));
  const fetchOnce = (_address: string | URL | Request, init?: RequestInit) => {
    const say = (status: number, body: object) => Promise.resolve(new Response(JSON.stringify(body), { status }));
    const bearer = new Headers(init?.headers).get('authorization');
    done.push(bearer);
    if (bearer === 'Bearer other') return say(200, { id: 'tag_1' });
    // Another person signs in, in this page or another tab, while the request is in flight.
    store.set(other);
    return say(401, { error: { code: 'token_invalid', message: 'Sign in again.' } });
  };
  const sdk = createAsterism({ base_url: 'http://localhost/v1', store, fetch: fetchOnce });
  await expect(sdk.tags.createTag({ body: { name: 'ada' } })).rejects.toMatchObject({ code: 'token_invalid' });
  expect(done).toEqual(['Bearer shared-gone']);
  expect(store.get()).toEqual(other);
});
