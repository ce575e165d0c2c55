/** What every operation guarantees with existing targets: lists, random requests, and repeated requests. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../app/app.ts';
import { routeOf, type Endpoint } from '../../../kernel/endpoint.ts';
import { error_table } from '../../../kernel/errors.ts';
import { seedOf, usual_seed } from '../../../../testing/seed.ts';
import { accepted_posts } from './accepted-posts.ts';
import { drawPng } from '../../samples/media.ts';
import { findPersonas, type Personas } from '../../world/personas.ts';
import { tone_opus } from '../../samples/recordings.ts';
import { restoreBeforeEach } from '../../world/restore-world.ts';
import { valuesOf } from './schema-values.ts';
import { createTargets, type Targets } from './targets.ts';
import { multipart } from '../../samples/upload.ts';
import { createWorld, type Answer, type World } from '../../world/world.ts';

/** Queries that some lists require. */
const required_queries: Record<string, (targets: Targets) => string> = {
  '/xtags/search': () => 'q=jazz&',
  '/messages/search': () => 'q=jazz&',
  '/messages/media': (targets) => `kind=links&group_id=${targets.ids('grp')[0]}&`,
  '/messages/pinned': (targets) => `group_id=${targets.ids('grp')[0]}&`,
  '/location/discover': () => 'latitude=52.5&longitude=13.4&radius_m=1000&',
};
const named = (some: readonly Endpoint[]) => some.map((endpoint) => [endpoint.route, endpoint] as const);
const propertiesOf = (schema: unknown) => (schema as { properties: Record<string, { pattern?: string }> }).properties;
const { seed, label } = seedOf(usual_seed);

describe('every endpoint with existing targets', () => {
  let world: World;
  let people: Personas;
  let targets: Targets;
  let files: Buffer[];
  beforeAll(async () => {
    const speech = { transcribe: async () => ({ text: 'call bob' }), close: async () => undefined };
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' }, engines: { speech } });
    people = findPersonas();
    targets = await createTargets(world, people);
    files = [await drawPng(8, 8), tone_opus, Buffer.from('name,phone\nAnn,+14155550123\n'), Buffer.from('nothing')];
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const lists = endpoints.filter(({ query }) => query && 'limit' in propertiesOf(query));

  it.each(named(lists))('%s is a list with limits', async (_route, endpoint) => {
    const path = targets.pathOf(endpoint);
    const { token } = people.alice;
    const required = required_queries[path]?.(targets) ?? '';
    const list = await world.call(`GET ${path}?${required}limit=1&unknown=1`, { token });
    expect([list.status, list.body.error]).toEqual([200, undefined]);
    const properties = propertiesOf(endpoint.query);
    const is_offset = 'offset' in properties;
    // A log is paged by its cursor instead of an offset.
    const is_log = 'cursor' in properties;
    expect(Object.keys(list.body).sort()).toEqual([...(is_log ? ['cursor'] : []), 'has_more', 'items']);
    expect(list.body.items.length).toBeLessThanOrEqual(1);
    for (const odd of ['limit=0', 'limit=101', 'limit=x', ...(is_offset ? ['offset=-1', 'offset=10001'] : [])]) {
      const refused = await world.call(`GET ${path}?${required}${odd}`, { token });
      expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, [odd.split('=')[0]]]);
    }
    const prefix = /^\^([a-z]+)_/.exec(properties['before_id']?.pattern ?? '')?.[1];
    if (!prefix) return;
    const odd = await world.call(`GET ${path}?${required}before_id=odd`, { token });
    expect([odd.status, Object.keys(odd.body.error.fields)]).toEqual([422, ['before_id']]);
    if (!is_offset) return;
    const both = await world.call(`GET ${path}?${required}offset=0&before_id=${prefix}_${'0'.repeat(26)}`, { token });
    expect([both.status, Object.keys(both.body.error.fields)]).toEqual([422, ['before_id']]);
  });

  /**
   * Encodes a value drawn from the body's schema: as JSON, or as fields beside a file, where the operation accepts
   * them.
   */
  function encodeRequest({ kind, body: schema }: Endpoint, body: unknown, at: number): object {
    const file = files[at % files.length] ?? Buffer.alloc(0);
    const is_json = kind === 'upload' ? false : kind === 'either' || kind === 'optional_upload' ? at % 2 === 1 : true;
    if (is_json) return schema ? { body } : {};
    const fields = kind === 'either' ? [] : Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]);
    return multipart(file, 'a', 'image/png', Object.fromEntries(fields));
  }
  const bodiesOf = (endpoint: Endpoint) =>
    endpoint.body ? valuesOf(endpoint.body, (prefix) => targets.ids(prefix)) : fc.constant({});
  function expectEnvelope({ status, body }: Answer): void {
    expect(Object.keys(body)).toEqual(['error']);
    expect(error_table[body.error.code as 'not_found']?.[0]).toBe(status);
  }

  const changing = endpoints.filter(({ route }) => !route.startsWith('GET '));
  it.each(named(changing))(`%s survives bodies that its schema allows (${label})`, async (_route, endpoint) => {
    const { method } = routeOf(endpoint);
    const tokens = [people.alice.token, people.bob.token];
    const request = fc.record({ body: bodiesOf(endpoint), at: fc.nat(7), who: fc.constantFrom(...tokens) });
    await fc.assert(
      fc.asyncProperty(request, async ({ body, at, who: token }) => {
        const path = targets.pathOf(endpoint);
        const answer = await world.call(`${method} ${path}`, { token, ...encodeRequest(endpoint, body, at) });
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 300) expectEnvelope(answer);
      }),
      { numRuns: 12 },
    );
  });

  /** The properties of a body that are identifiers, with their prefixes. */
  const idsIn = ({ body }: Endpoint): [name: string, prefix: string][] =>
    Object.entries(body ? propertiesOf(body) : {}).flatMap(([name, { pattern }]) => {
      const prefix = /^\^([a-z]+)_/.exec(pattern ?? '')?.[1];
      return prefix ? [[name, prefix]] : [];
    });
  const naming = changing.filter((endpoint) => idsIn(endpoint).length > 0);
  it.each(named(naming))('%s survives identifiers that name nothing', async (_route, endpoint) => {
    const { method, path: template } = routeOf(endpoint);
    const accepted = await accepted_posts[template]?.(world, people);
    const path = accepted?.path ?? targets.pathOf(endpoint);
    const { token } = accepted?.who ?? people.alice;
    for (const given of [accepted?.body ?? {}, ...fc.sample(bodiesOf(endpoint), { numRuns: 4, seed })])
      for (const [name, prefix] of idsIn(endpoint)) {
        const body = { ...(given as object), [name]: `${prefix}_${'0'.repeat(26)}` };
        const answer = await world.call(`${method} ${path}`, { token, body });
        expect([name, answer.status < 500]).toEqual([name, true]);
        if (answer.status >= 300) expectEnvelope(answer);
      }
  });

  const repeatable = endpoints.filter(({ route, idempotent }) => route.startsWith('POST ') && idempotent !== false);
  it.each(named(repeatable))(`%s is executed once per idempotency key (${label})`, async (route, endpoint) => {
    const accepted = accepted_posts[routeOf(endpoint).path];
    if (accepted) {
      const { who, path = targets.pathOf(endpoint), body } = await accepted(world, people);
      const headers = { 'idempotency-key': 'once' };
      const send = () =>
        world.call(`POST ${path}`, { headers, ...(who && { token: who.token }), ...(body && { body }) });
      const first = await send();
      expect([route, first.status, first.body?.error]).toEqual([
        route,
        expect.toBeOneOf([200, 201, 202, 204]),
        undefined,
      ]);
      const again = await send();
      expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([
        first.status,
        first.body,
        'true',
      ]);
    }
    const drawn = fc.sample(bodiesOf(endpoint), { numRuns: 12, seed });
    const { token } = people.alice;
    let accepted_count = accepted ? 1 : 0;
    for (const [at, body] of drawn.entries()) {
      const send = () => {
        const sent = encodeRequest(endpoint, body, at) as { headers?: Record<string, string> };
        const headers = { ...sent.headers, 'idempotency-key': `repeat ${at}` };
        return world.call(`POST ${targets.pathOf(endpoint)}`, { token, ...sent, headers });
      };
      const first = await send();
      const again = await send();
      // A user who has ended their session cannot repeat anything.
      if (endpoint.session === 'ends' && first.status < 300) expect([at, again.status]).toEqual([at, 401]);
      else expect([at, again.status, again.body]).toEqual([at, first.status, first.body]);
      if (again.status < 300) expect([at, again.headers['idempotent-replayed']]).toEqual([at, 'true']);
      if (first.status < 300) accepted_count += 1;
    }
    // Repeats of rejected requests alone would prove nothing.
    expect([route, accepted_count > 0]).toEqual([route, true]);
  });
});
