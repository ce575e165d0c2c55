import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createAsterism, type Asterism } from './client.ts';
import { ApiError, NetworkError, parseRetryAfter } from './errors.ts';
import { iterate } from './iterate.ts';
import { localTokenStore, memoryTokenStore } from './token-store.ts';
import type { TokenPair } from './token-store.ts';

interface ReceivedRequest {
  method: string;
  path: string;
  body: string;
  authorization: string | undefined;
  key: string | undefined;
  content_type: string | undefined;
}
type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang up';

const servers = new Set<Server>();
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  servers.clear();
});

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** Starts a server that answers with the given function, and records the requests that it has received. */
async function startService(answer: (requests: ReceivedRequest, count: number) => Answer | Promise<Answer>) {
  const requests: ReceivedRequest[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const sent: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: await readBody(request),
      authorization: request.headers.authorization,
      key: request.headers['idempotency-key'] as string | undefined,
      content_type: request.headers['content-type'],
    };
    requests.push(sent);
    const reply = await answer(sent, requests.length);
    if (reply === 'hang up') return void request.socket.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
  };
  const server = createServer((request, response) => void serve(request, response));
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { requests, base_url: `http://127.0.0.1:${port}/v1` };
}

function pair(name: string): TokenPair {
  const at = '2030-01-01T00:00:00Z';
  return { token: name, refresh_token: `${name}-r`, expires_at: at, refresh_expires_at: at, session_id: 'ses_1' };
}

const invalid: Answer = { status: 401, body: { error: { code: 'token_invalid', message: 'Sign in again.' } } };

test('fills in the path and the query, sends the bearer token and returns the body', async () => {
  const { requests, base_url } = await startService(() => ({ status: 200, body: { items: [], has_more: false } }));
  const sdk = createAsterism({ base_url: `${base_url}/`, store: memoryTokenStore(pair('one')) });
  await sdk.calls.getCall({ path: { join_code: 'a/b' } });
  const found = await sdk.tags.searchTags({ query: { q: 'a b&c', limit: 5 } });
  expect(found).toEqual({ items: [], has_more: false });
  expect(requests.map((sent) => sent.path)).toEqual(['/v1/calls/a%2Fb', '/v1/xtags/search?q=a+b%26c&limit=5']);
  expect(requests[0]).toMatchObject({ method: 'GET', authorization: 'Bearer one', key: undefined });
});

test.each(['', '.', '..'])('rejects the path parameter "%s" without sending a request', async (join_code) => {
  const { requests, base_url } = await startService(() => ({ status: 200 }));
  const sdk = createAsterism({ base_url });
  await expect(sdk.calls.getCall({ path: { join_code } })).rejects.toThrow('join_code');
  expect(requests).toEqual([]);
});

test('follows no redirect, which would send tokens, passwords and texts elsewhere', async () => {
  const elsewhere = await startService(() => ({ status: 200, body: pair('forged') }));
  const { requests, base_url } = await startService(({ path }) =>
    path === '/v1/me' ? invalid : { status: 307, headers: { location: `${elsewhere.base_url}${path}` } },
  );
  const sdk = createAsterism({ base_url, store: memoryTokenStore(pair('old')), retry_delay_ms: 1, max_retries: 0 });
  await expect(sdk.me.getMe()).rejects.toBeInstanceOf(NetworkError);
  await expect(sdk.auth.login({ body: { username: 'ada', password: 'a long password' } })).rejects.toBeInstanceOf(
    NetworkError,
  );
  await expect(sdk.tags.searchTags({ query: { q: 'jazz' } })).rejects.toBeInstanceOf(NetworkError);
  expect(requests).toHaveLength(4);
  expect(elsewhere.requests).toEqual([]);
  expect(sdk.session.get()).toEqual(pair('old'));
});

test('stores the session from the reply to a login, and clears it after logout', async () => {
  const { base_url } = await startService(({ path }) =>
    path === '/v1/auth/logout' ? { status: 204 } : { status: 200, body: { ...pair('new'), token_type: 'bearer' } },
  );
  const sdk = createAsterism({ base_url });
  const changes: (string | undefined)[] = [];
  sdk.session.onChange((session) => changes.push(session?.token));
  await sdk.auth.login({ body: { username: 'ada', password: 'a long password' } });
  expect(sdk.session.get()).toEqual(pair('new'));
  expect(await sdk.auth.logout()).toBeUndefined();
  expect(sdk.session.get()).toBeUndefined();
  expect(changes).toEqual(['new', undefined]);
});

test('throws an ApiError with the error code, fields, request id and Retry-After', async () => {
  const { base_url } = await startService(() => ({
    status: 422,
    headers: { 'x-request-id': 'req-7', 'retry-after': '12' },
    body: { error: { code: 'validation_failed', message: 'Not right.', fields: { name: 'Too short.' } } },
  }));
  const sdk = createAsterism({ base_url });
  const error = await sdk.tags.createTag({ body: { name: 'a' } }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect({ ...(error as ApiError) }).toMatchObject({
    status: 422,
    code: 'validation_failed',
    fields: { name: 'Too short.' },
    request_id: 'req-7',
    retry_after_s: 12,
  });
  expect((error as ApiError).message).toBe('Not right.');
});

test('refreshes the token once for concurrent requests, each of which is repeated with the new token', async () => {
  const { requests, base_url } = await startService(({ path, authorization }) => {
    if (path === '/v1/auth/refresh') return { status: 200, body: { ...pair('new'), token_type: 'bearer' } };
    return authorization === 'Bearer new' ? { status: 200, body: { id: 'usr_1' } } : invalid;
  });
  const sdk = createAsterism({ base_url, store: memoryTokenStore(pair('old')) });
  await Promise.all([sdk.me.getMe(), sdk.me.getMe(), sdk.me.getMe()]);
  const refreshes = requests.filter((sent) => sent.path === '/v1/auth/refresh');
  expect(refreshes.map((sent) => JSON.parse(sent.body) as unknown)).toEqual([{ refresh_token: 'old-r' }]);
  expect(sdk.session.get()?.token).toBe('new');
});

test('ends the session when the refresh is rejected, but not when it fails with 500', async () => {
  let is_down = true;
  const { base_url } = await startService(({ path }) => {
    if (path !== '/v1/auth/refresh' || !is_down) return invalid;
    return { status: 500, body: { error: { code: 'internal_error', message: 'Broken.' } } };
  });
  const sdk = createAsterism({ base_url, store: memoryTokenStore(pair('old')) });
  await expect(sdk.me.getMe()).rejects.toMatchObject({ code: 'internal_error' });
  expect(sdk.session.get()?.token).toBe('old');
  is_down = false;
  await expect(sdk.me.getMe()).rejects.toMatchObject({ code: 'token_invalid' });
  expect(sdk.session.get()).toBeUndefined();
});

test('retries a POST with the same idempotency key after a broken connection and after 503', async () => {
  const { requests, base_url } = await startService((_, count) => {
    if (count === 1) return 'hang up';
    if (count === 2) return { status: 503, headers: { 'retry-after': '0' }, body: {} };
    return { status: 201, body: { id: 'tag_1' } };
  });
  const sdk = createAsterism({ base_url, retry_delay_ms: 1 });
  expect(await sdk.tags.createTag({ body: { name: 'ada' } })).toEqual({ id: 'tag_1' });
  expect(new Set(requests.map((sent) => sent.key)).size).toBe(1);
  expect(requests[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(requests.length).toBe(3);
});

test('stops after max_retries, and never retries a PATCH', async () => {
  const { requests, base_url } = await startService(() => 'hang up');
  const sdk = createAsterism({ base_url, retry_delay_ms: 1, max_retries: 2 });
  await expect(sdk.me.getMe()).rejects.toBeInstanceOf(NetworkError);
  expect(requests.length).toBe(3);
  await expect(sdk.me.updateMe({ body: {} })).rejects.toBeInstanceOf(NetworkError);
  expect(requests.length).toBe(4);
});

test('uploads a file as the multipart part "file"', async () => {
  const { requests, base_url } = await startService(() => ({ status: 200, body: {} }));
  const sdk = createAsterism({ base_url });
  await sdk.me.uploadAvatar({ file: new Blob(['picture'], { type: 'image/png' }) });
  expect(requests[0]?.content_type).toMatch(/^multipart\/form-data; boundary=/);
  expect(requests[0]?.body).toMatch(/name="file"[\s\S]*image\/png[\s\S]*picture/);
});

test('iterates over a list by the last id, and by offset', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => ({ id: `tag_${index}` }));
  const requested: unknown[] = [];
  const load = (query: { before_id?: string; offset?: number }) => {
    requested.push(query);
    const start = query.offset ?? rows.findIndex((row) => row.id === query.before_id) + 1;
    return Promise.resolve({ items: rows.slice(start, start + 2), has_more: start + 2 < rows.length });
  };
  expect(await Array.fromAsync(iterate(load))).toEqual(rows);
  expect(requested).toEqual([{}, { before_id: 'tag_1' }, { before_id: 'tag_3' }]);
  expect(await Array.fromAsync(iterate(load, 'offset'))).toEqual(rows);
  expect(requested.slice(3)).toEqual([{}, { offset: 2 }, { offset: 4 }]);
});

test('reads Retry-After as seconds and as a date', () => {
  const now_ms = Date.parse('2026-01-01T00:00:00Z');
  expect(parseRetryAfter('7', now_ms)).toBe(7);
  expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', now_ms)).toBe(9);
  expect(parseRetryAfter('soon', now_ms)).toBeUndefined();
  expect(parseRetryAfter(null, now_ms)).toBeUndefined();
});

test('iterates over the list of an operation by before_id or by offset, as the operation requires', async () => {
  const rows = Array.from({ length: 3 }, (_, index) => ({ id: `post_${3 - index}` }));
  const { requests, base_url } = await startService(({ path }) => {
    const query = new URL(path, 'http://x').searchParams;
    const start = query.has('before_id')
      ? rows.findIndex((row) => row.id === query.get('before_id')) + 1
      : Number(query.get('offset'));
    return { status: 200, body: { items: rows.slice(start, start + 2), has_more: start + 2 < rows.length } };
  });
  const sdk = createAsterism({ base_url });
  const replies = sdk.statuses.listReplies.iterate({ path: { post_id: 'post_9' }, query: { limit: 2 } });
  expect((await Array.fromAsync(replies)).map(({ id }) => id)).toEqual(['post_3', 'post_2', 'post_1']);
  expect((await Array.fromAsync(sdk.tags.searchTags.iterate({ query: { q: 'jazz' } }))).length).toBe(3);
  expect(requests.map((sent) => sent.path)).toEqual([
    '/v1/statuses/post_9/replies?limit=2',
    '/v1/statuses/post_9/replies?limit=2&before_id=post_2',
    '/v1/xtags/search?q=jazz',
    '/v1/xtags/search?q=jazz&offset=2',
  ]);
  // @ts-expect-error -- an operation that does not return a list cannot be iterated
  expect(sdk.me.getMe.iterate).toBeUndefined();
});

test('ignores a late refresh response after the user has signed in again', async () => {
  for (const refused of [false, true]) {
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    const requested = Promise.withResolvers<void>();
    const { base_url } = await startService(async ({ path, authorization }) => {
      if (path === '/v1/auth/login') return { status: 200, body: { ...pair('other'), token_type: 'bearer' } };
      if (path !== '/v1/auth/refresh') return authorization === 'Bearer other' ? { status: 200, body: {} } : invalid;
      requested.resolve();
      await late;
      return refused ? invalid : { status: 200, body: { ...pair('new'), token_type: 'bearer' } };
    });
    const sdk = createAsterism({ base_url, store: memoryTokenStore(pair('old')) });
    const reading = sdk.me.getMe().catch(() => undefined);
    await requested.promise;
    await sdk.auth.login({ body: { username: 'ada', password: 'a long password' } });
    answer();
    await reading;
    expect(sdk.session.get()?.token).toBe('other');
  }
});

test('ignores a late refresh response after the session was cleared', async () => {
  let answer = () => {};
  const late = new Promise<void>((resolve) => (answer = resolve));
  const requested = Promise.withResolvers<void>();
  const { base_url } = await startService(async ({ path }) => {
    if (path !== '/v1/auth/refresh') return invalid;
    requested.resolve();
    await late;
    return { status: 200, body: { ...pair('new'), token_type: 'bearer' } };
  });
  const sdk = createAsterism({ base_url, store: memoryTokenStore(pair('old')) });
  const reading = sdk.me.getMe().catch(() => undefined);
  await requested.promise;
  sdk.session.clear();
  answer();
  await reading;
  expect(sdk.session.get()).toBeUndefined();
});

test('starts the iteration at the given offset', async () => {
  const rows = Array.from({ length: 6 }, (_, index) => ({ id: `post_${6 - index}` }));
  const { requests, base_url } = await startService(({ path }) => {
    const query = new URL(path, 'http://x').searchParams;
    if (query.has('before_id') && query.has('offset')) return { status: 422, body: {} };
    const start = query.has('before_id')
      ? rows.findIndex((row) => row.id === query.get('before_id')) + 1
      : Number(query.get('offset'));
    return { status: 200, body: { items: rows.slice(start, start + 2), has_more: start + 2 < rows.length } };
  });
  const sdk = createAsterism({ base_url });
  const found = sdk.tags.searchTags.iterate({ query: { q: 'jazz', offset: 1 } });
  expect((await Array.fromAsync(found)).map(({ id }) => id)).toEqual(rows.slice(1).map(({ id }) => id));
  const replies = sdk.statuses.listReplies.iterate({ path: { post_id: 'post_9' }, query: { offset: 1 } });
  expect((await Array.fromAsync(replies)).map(({ id }) => id)).toEqual(rows.slice(1).map(({ id }) => id));
  expect(requests.length).toBe(6);
});

test('returns tokens that did not fit into the storage in preference to the stored ones', () => {
  const entries = new Map<string, string>();
  let full = false;
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (full) throw new Error('QuotaExceededError');
      entries.set(key, value);
    },
    removeItem: (key: string) => void entries.delete(key),
  };
  const store = localTokenStore('session', storage);
  store.set(pair('old'));
  full = true;
  store.set(pair('new'));
  expect(store.get()?.token).toBe('new');
});

test.each([
  ['PUT', 502, (sdk: Asterism) => sdk.tags.followTag({ path: { xtag_id: 'tag_1' } })],
  ['DELETE', 503, (sdk: Asterism) => sdk.tags.deleteTag({ path: { xtag_id: 'tag_1' } })],
  ['GET', 504, (sdk: Asterism) => sdk.me.getMe()],
] as const)('retries %s after %d', async (method, status, call) => {
  const { requests, base_url } = await startService((_, count) =>
    count === 1 ? { status, body: {} } : { status: 200, body: {} },
  );
  await call(createAsterism({ base_url, retry_delay_ms: 1 }));
  expect(requests.map((sent) => sent.method)).toEqual([method, method]);
});

test('waits for the Retry-After of a 429, unless it is too long', async () => {
  const { requests, base_url } = await startService(({ path }, count) => {
    if (path === '/v1/feed') return { status: 429, headers: { 'retry-after': '60' }, body: {} };
    return count === 1 ? { status: 429, headers: { 'retry-after': '0' }, body: {} } : { status: 200, body: {} };
  });
  const sdk = createAsterism({ base_url, retry_delay_ms: 1 });
  await sdk.me.getMe();
  expect(requests.length).toBe(2);
  await expect(sdk.statuses.getFeed()).rejects.toMatchObject({ status: 429, retry_after_s: 60 });
  expect(requests.length).toBe(3);
});

test('does not retry a PATCH after 502, since it may have been applied', async () => {
  const { requests, base_url } = await startService(() => ({ status: 502, body: {} }));
  await expect(createAsterism({ base_url, retry_delay_ms: 1 }).me.updateMe({ body: {} })).rejects.toMatchObject({
    status: 502,
    code: 'bad_gateway',
  });
  expect(requests.length).toBe(1);
});

test('treats 404 as success when it retries a DELETE whose response was lost', async () => {
  const { base_url } = await startService((_, count) =>
    count === 1 ? 'hang up' : { status: 404, body: { error: { code: 'not_found', message: 'Not found.' } } },
  );
  const sdk = createAsterism({ base_url, retry_delay_ms: 1 });
  expect(await sdk.tags.deleteTag({ path: { xtag_id: 'tag_1' } })).toBeUndefined();
  await expect(sdk.tags.deleteTag({ path: { xtag_id: 'tag_1' } })).rejects.toMatchObject({ code: 'not_found' });
});

test('throws a NetworkError when there is no response within timeout_ms', async () => {
  const { base_url } = await startService(() => new Promise<never>(() => undefined));
  const sdk = createAsterism({ base_url, timeout_ms: 50, max_retries: 0 });
  await expect(sdk.me.getMe()).rejects.toBeInstanceOf(NetworkError);
});

test('iterates over a list by conference_id, and over calendar events by offset', async () => {
  const { requests, base_url } = await startService(({ path }, count) => ({
    status: 200,
    body: path.startsWith('/v1/call-history')
      ? { items: [{ conference_id: `conf_${count}` }], has_more: count < 3 }
      : { items: [{ id: `evt_${count}` }], has_more: count < 5 },
  }));
  const sdk = createAsterism({ base_url });
  const calls: string[] = [];
  for await (const { conference_id } of sdk.callHistory.listCallHistory.iterate()) calls.push(conference_id);
  expect(calls).toEqual(['conf_1', 'conf_2', 'conf_3']);
  const query = { from: '2030-01-01T00:00:00Z', to: '2030-02-01T00:00:00Z' };
  for await (const event of sdk.calendar.listEvents.iterate({ query })) calls.push(event.id);
  expect(requests.slice(1, 3).map(({ path }) => path)).toEqual([
    '/v1/call-history?before_id=conf_1',
    '/v1/call-history?before_id=conf_2',
  ]);
  expect(requests.at(-1)?.path).toContain('offset=1');
  expect(calls).toEqual(['conf_1', 'conf_2', 'conf_3', 'evt_4', 'evt_5']);
});
