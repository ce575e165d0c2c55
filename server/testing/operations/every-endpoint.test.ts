/** What every operation guarantees, tested for each by iterating over the manifest. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../app/app.ts';
import { routeOf, type Endpoint } from '../../kernel/endpoint.ts';
import { error_members, error_table } from '../../kernel/errors.ts';
import { errorsOf } from '../../kernel/http/documents/openapi.ts';
import { findPersonas, type Personas } from '../world/personas.ts';
import { startBudgetWindow } from '../world/budget-windows.ts';
import { createWorld, type Answer, type World } from '../world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

const no_id = `${'0'.repeat(26)}`;

/** A path with every parameter replaced. */
function pathOf(endpoint: Endpoint, value: (name: string) => string): string {
  return routeOf(endpoint).path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => value(name));
}

/** An identifier of the right shape that names nothing. */
function absentId(endpoint: Endpoint, name: string): string {
  const { properties } = endpoint.path as unknown as { properties: Record<string, { pattern?: string }> };
  const pattern = properties[name]?.pattern ?? '';
  const prefix = /^\^([a-z]+)_\[/.exec(pattern)?.[1];
  if (prefix) return `${prefix}_${no_id}`;
  if (name === 'xtag') return 'no-such-tag';
  if (name === 'handle') return 'no-such-handle';
  if (name === 'token') return 'no-such-token';
  return name === 'join_code' ? 'aaa-bbbb-ccc' : `${no_id}-${'a'.repeat(32)}.webp`;
}

function expectEnvelope(endpoint: Endpoint, answer: Answer): void {
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  const { error, ...rest } = answer.body;
  expect(rest).toEqual({});
  expect(
    Object.keys(error).filter((key) => !['code', 'message', 'fields', ...Object.keys(error_members)].includes(key)),
  ).toEqual([]);
  expect(error_table[error.code as 'not_found']?.[0]).toBe(answer.status);
  expect([...errorsOf(endpoint), 'not_found', 'bad_request']).toContain(error.code);
}

const bodies = (endpoint: Endpoint) =>
  ['POST', 'PUT', 'PATCH'].includes(routeOf(endpoint).method) && endpoint.kind !== 'upload';

describe('every endpoint', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  it.each(endpoints.map((endpoint) => [endpoint.route, endpoint] as const))(
    '%s rejects bad tokens, bad identifiers and other methods',
    async (_route, endpoint) => {
      const { method } = routeOf(endpoint);
      const path = pathOf(endpoint, (name) => absentId(endpoint, name));
      const closed = endpoint.gate !== 'public' && endpoint.gate !== 'optional';
      if (closed) {
        const nobody = await world.call(`${method} ${path}`);
        expect([nobody.status, nobody.body.error.code]).toEqual([401, 'unauthenticated']);
        expect(nobody.headers['www-authenticate']).toBe('Bearer');
      }
      if (endpoint.gate !== 'public') {
        const garbage = await world.call(`${method} ${path}`, { token: 'ast_garbage' });
        expect([garbage.status, garbage.body.error.code]).toEqual([401, 'token_invalid']);
      }
      if (endpoint.gate === 'verified' || endpoint.gate === 'guest') {
        const unverified = await world.call(`${method} ${path}`, { token: people.uma.token });
        expect([unverified.status, unverified.body.error.code]).toEqual([403, 'mobile_unverified']);
      }
      const { token } = people.alice;
      if (endpoint.path) {
        const invalid = await world.call(`${method} ${pathOf(endpoint, () => '*odd')}`, { token });
        expect([invalid.status, invalid.body.error.code]).toEqual([404, 'not_found']);
        expect(invalid.headers.ratelimit).toMatch(/^"\w+";r=\d+;t=\d+$/);
      }
      for (const wrong of ['TRACE', 'QUERY']) {
        const other = await world.call(`${wrong} ${path}`, { token });
        expect([other.status, other.body.error.code]).toEqual([405, 'method_not_allowed']);
        expect(other.headers['allow']?.split(', ')).toContain(method);
      }
    },
  );

  it.each(endpoints.filter(bodies).map((endpoint) => [endpoint.route, endpoint] as const))(
    '%s rejects malformed and unknown bodies',
    async (_route, endpoint) => {
      const { method } = routeOf(endpoint);
      const route = `${method} ${pathOf(endpoint, (name) => absentId(endpoint, name))}`;
      const { token } = people.alice;
      const broken = await world.call(route, { token, raw: '{"a":' });
      expect([broken.status, broken.body.error.code]).toEqual([400, 'bad_request']);
      const text = await world.call(route, { token, raw: 'a=b', headers: { 'content-type': 'text/plain' } });
      expect([text.status, text.body.error.code]).toEqual([415, 'unsupported_media_type']);
      const large = await world.call(route, { token, raw: JSON.stringify({ a: 'x'.repeat(300_000) }) });
      expect([large.status, large.body.error.code]).toEqual([413, 'payload_too_large']);
      const unknown = await world.call(route, { token, body: { no_such_field: 1 } });
      expect([unknown.status, unknown.body.error.code]).toEqual([422, 'validation_failed']);
      expect(unknown.body.error.fields.no_such_field).toBe('is not a known field');
      for (const raw of [
        '[]',
        '3',
        '"x"',
        'null',
        '{"__proto__":{"a":1}}',
        `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
        '{"a":1e400}',
      ]) {
        const answer = await world.call(route, { token, raw });
        expect([400, 422]).toContain(answer.status);
        expectEnvelope(endpoint, answer);
      }
    },
  );

  it.each(
    endpoints
      .filter(bodies)
      .filter(({ body }) => body)
      .map((endpoint) => [endpoint.route, endpoint] as const),
  )('%s survives fuzzing', slow, async (_route, endpoint) => {
    const { method } = routeOf(endpoint);
    const route = `${method} ${pathOf(endpoint, (name) => absentId(endpoint, name))}`;
    const { properties } = endpoint.body as unknown as { properties: Record<string, unknown> };
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\0', '\ud800', ''),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
      fc.object({ maxDepth: 2 }),
    );
    const body = fc.record(Object.fromEntries(Object.keys(properties).map((name) => [name, value])), {
      requiredKeys: [],
    });
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await world.call(route, { token: people.bob.token, body: sent });
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 300) expectEnvelope(endpoint, answer);
      }),
      { numRuns: 25 },
    );
  });

  it('unknown paths return 404 with the error envelope, for every method and body', async () => {
    for (const route of ['GET /no-such-path', 'POST /no-such-path', 'DELETE /me/nothing/here']) {
      const answer = await world.call(route, { raw: '{', headers: { 'content-type': 'text/odd' } });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    }
  });

  it('the rate budget decreases by one per call, and calls succeed after Retry-After', slow, async () => {
    const small = await createWorld();
    try {
      await startBudgetWindow(small.clock);
      const checkUsername = () => small.call('GET /auth/username-available?username=zoe', { ip: '10.9.9.9' });
      const remaining = async () => Number(/r=(\d+)/.exec((await checkUsername()).headers['ratelimit'] ?? '')?.[1]);
      expect([await remaining(), await remaining(), await remaining()]).toEqual([599, 598, 597]);
      const login = () => small.call('POST /auth/login', { body: { username: 'zoe', password: 'x' }, ip: '10.9.9.8' });
      for (let at = 0; at < 10; at++) expect((await login()).status).toBe(401);
      const refused = await login();
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
      await small.clock.advance(Number(refused.headers['retry-after']));
      expect((await login()).status).toBe(401);
    } finally {
      await small.close();
    }
  });
});
