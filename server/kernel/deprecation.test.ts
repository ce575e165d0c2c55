import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { createWorld, type World } from '../testing/world/world.ts';
import { deprecationHeaders } from './deprecation.ts';
import { endpoint, feature } from './endpoint.ts';
import { buildHttp } from './http/http.ts';
import { compileOperations } from './http/operation.ts';
import { createMetrics } from './observability/metrics.ts';
import { describeApi } from './http/documents/openapi.ts';
import { object, text, Type } from './schema.ts';

const deprecated = { since: '2026-01-15', sunset: '2026-07-15', link: 'https://asterism.example/changes#old' };
const headers = {
  deprecation: '@1768435200',
  sunset: 'Wed, 15 Jul 2026 00:00:00 GMT',
  link: '<https://asterism.example/changes#old>; rel="deprecation"; type="text/html"',
};
const reply = object({ done: Type.Boolean() });

describe('a deprecated operation', () => {
  let world: World;
  let http: FastifyInstance;
  const old = endpoint({
    id: 'createOldThing',
    route: 'POST /old-things',
    summary: 'Make an old thing',
    gate: 'public',
    body: object({ name: text(1, 10) }),
    reply,
    deprecated,
    run: async ({ body }) => {
      if (body.name === 'broken') throw new Error('a defect');
      return { done: true };
    },
  });
  const current = endpoint({
    id: 'getThing',
    route: 'GET /things',
    summary: 'Read a thing',
    gate: 'public',
    reply,
    run: async () => ({ done: true }),
  });
  const locked = endpoint({
    id: 'getOldThing',
    route: 'GET /old-things',
    summary: 'Read',
    reply,
    deprecated,
    run: current.run,
  });
  const things = feature({ area: 'things', title: 'Things', endpoints: [old, current, locked] });

  beforeAll(async () => {
    world = await createWorld();
    const operations = compileOperations(things.endpoints, true);
    const services = { ...world.app.services, metrics: createMetrics() };
    const unknown = () => undefined;
    http = buildHttp({
      services,
      operations,
      authenticate: unknown,
      recall: unknown,
      base_path: '/v1',
      trust_proxy: false,
    });
    await http.ready();
  });
  afterAll(async () => {
    await http.close();
    await world.close();
  });

  it('sends the deprecation headers with every response: 200, 422, 400, 500 and 401', async () => {
    const post = (payload: string) =>
      http.inject({ method: 'POST', url: '/v1/old-things', headers: { 'content-type': 'application/json' }, payload });
    const answers = [
      await post('{"name":"one"}'),
      await post('{}'),
      await post('{'),
      await post('{"name":"broken"}'),
      await http.inject('/v1/old-things'),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 422, 400, 500, 401]);
    for (const answer of answers) expect(answer.headers).toMatchObject(headers);
  });

  it('has no effect on the headers of other operations', async () => {
    const answer = await http.inject('/v1/things');
    expect(answer.statusCode).toBe(200);
    for (const name of Object.keys(headers)) expect(answer.headers).not.toHaveProperty(name);
  });

  it('is marked in the OpenAPI document', () => {
    const { paths } = describeApi([things], 'https://asterism.example') as { paths: Record<string, any> }; // oxlint-disable-line typescript/no-explicit-any -- tests read documents freely
    expect(paths['/old-things'].post).toMatchObject({
      deprecated: true,
      description:
        'Deprecated since 2026-01-15, and may be gone from 2026-07-15 on. See https://asterism.example/changes#old.',
    });
    expect(paths['/things'].get).not.toHaveProperty('deprecated');
  });

  it('rejects a sunset before the deprecation, and an invalid date', () => {
    expect(deprecationHeaders({ since: '2026-01-15' })).toEqual({ deprecation: '@1768435200' });
    expect(() => deprecationHeaders({ since: '2026-01-15', sunset: '2026-01-14' })).toThrow('comes before');
    expect(() => deprecationHeaders({ since: '15 January 2026' })).toThrow('not a date');
  });
});
