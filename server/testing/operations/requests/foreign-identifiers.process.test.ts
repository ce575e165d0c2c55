/**
 * Objects of others: wherever an operation takes an identifier, in its path, query or body, that of an object which the
 * caller may not see is answered like one that names nothing, and changes nothing.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../app/app.ts';
import { routeOf, type Endpoint } from '../../../kernel/endpoint.ts';
import { suspendUser } from '../../../domain/moderation/suspension.ts';
import { block } from '../../steps/follows.ts';
import { admitGuest } from '../../steps/link-guests.ts';
import { becomeGuest, createWidget } from '../../steps/widgets.ts';
import { findPersonas, register, type Persona, type Personas } from '../../world/personas.ts';
import { restoreBeforeEach } from '../../world/restore-world.ts';
import { readRows, type Table } from '../../world/stored-rows.ts';
import { createWorld, type Answer, type World } from '../../world/world.ts';
import { createPrivateObjects } from '../visibility/private-objects.ts';
import { valuesOf } from './schema-values.ts';
import { createTargets, type Targets } from './targets.ts';

type Request = { path: Record<string, string>; query: Record<string, unknown>; body: unknown };
/** Where an identifier is in a request. */
type Position = { at: (string | number)[]; prefix: string };

/** How many bodies are drawn for an operation, so that each of its identifiers is in one at least. */
const draws = 16;
/** For the identifiers of a kind of object, how many others have are tried. */
const tried = 2;

/** Members of answers that differ in every answer. */
const own_values = /"(?:id|created_at|updated_at|edited_at|expires_at|token|join_code|last_event_id|now)":"[^"]*"/g;

/** An identifier that names nothing, of the same time: some name a place in a list, or show that something has expired. */
const absentLike = (id: string) => id.slice(0, -16) + 'z'.repeat(16);

function positionsIn(value: unknown, at: Position['at'] = []): Position[] {
  if (typeof value === 'string') {
    const prefix = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/.exec(value)?.[1];
    return prefix ? [{ at, prefix }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...keys].flatMap((key) => positionsIn((value as Record<string | number, unknown>)[key], [...at, key]));
}

function replaceAt<T>(value: T, [key, ...rest]: Position['at'], by: string): T {
  if (key === undefined) return by as T;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
  copy[key] = replaceAt(copy[key], rest, by);
  return copy as T;
}

/** Operations that reach a person in spite of their block: one may report them, and block them too. */
const despite_blocks = new Set(['createAbuseReport', 'createBlock']);

const nameOf = ({ at }: Position) => at.map((key) => (typeof key === 'number' ? '[]' : key)).join('.');

/** A member of a path, with the value that an address has there. */
function readPath({ path }: { path: string }, address: string): Record<string, string> {
  const values = address.split('/');
  const named = path.split('/').flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), values[at]]] : []));
  return Object.fromEntries(named) as Record<string, string>;
}

describe('identifiers of what others have', () => {
  let world: World;
  let people: Personas;
  let targets: Targets;
  let others: Map<string, string[]>;
  let others_ids: string[];
  let tables: Table[];
  /** Tokens of the callers; guests may use some operations. */
  let callers: { name: string; token: string; is_guest: boolean }[];
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    people = findPersonas();
    const { alice, carol } = people;
    targets = await createTargets(world, people);
    const dave: Persona = await register(world, 'dave', 44);
    others_ids = [carol.id, dave.id];
    others = await createPrivateObjects(world, carol, dave);
    // People who are absent to the callers: one has blocked a caller, the other is suspended.
    const [erin, finn] = [await register(world, 'erin', 45), await register(world, 'finn', 46)];
    await block(world, erin, alice);
    await suspendUser(world.app.services, finn.id, { operator: 'olga', reason: 'because' });
    others.set('usr', [erin.id, finn.id]);
    await world.call('PATCH /calls/active', { token: alice.token, body: { guests: 'ask' } });
    const { body: call } = await world.call('GET /calls/active', { token: alice.token });
    callers = [
      { name: 'a person', token: alice.token, is_guest: false },
      { name: 'a guest of a call', token: (await admitGuest(world, alice, call.join_code)).token, is_guest: true },
      {
        name: 'a guest of a widget',
        token: (await becomeGuest(world, await createWidget(world, alice, 'mine'))).token,
        is_guest: true,
      },
    ];
    await world.settle();
    const all = await readRows(world.app.services.db.native);
    tables = all.tables.filter(({ name }) => !/events|jobs|spent_grants/.test(name));
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  /** What callers have; of people, those who are no strangers to them. */
  const idsOf = (prefix: string) =>
    prefix === 'usr' ? [people.alice.id, people.bob.id] : targets.ids(prefix).slice(0, 3);

  function send(endpoint: Endpoint, token: string, { path, query, body }: Request): Promise<Answer> {
    const { method, path: template } = routeOf(endpoint);
    const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return world.call(`${method} ${address}?${search.toString()}`, { token, ...(body === undefined ? {} : { body }) });
  }

  function drawRequest(endpoint: Endpoint, seed: number): Request {
    const draw = (schema: Endpoint['body']) =>
      schema && fc.sample(valuesOf(schema, idsOf), { numRuns: 1, seed: seed * 7919 })[0];
    const has_body = endpoint.kind !== 'upload' && routeOf(endpoint).method !== 'GET';
    return {
      path: readPath(routeOf(endpoint), targets.pathOf(endpoint)),
      query: (draw(endpoint.query) ?? {}) as Request['query'],
      body: has_body ? draw(endpoint.body) : undefined,
    };
  }

  /** The rows in which the others or their objects are, except events and what a request itself stores. */
  async function rowsOfOthers(): Promise<string[]> {
    const ids = [...others_ids, ...[...others.values()].flat()];
    const { rows } = await readRows(world.app.services.db.native, tables);
    return tables.flatMap(({ name }, at) => {
      const named = rows[at]?.split('","').filter((row) => ids.some((id) => row.includes(id))) ?? [];
      return named.map((row) => `${name} ${row}`);
    });
  }

  const answerOf = ({ status, body }: Answer, id: string) =>
    JSON.stringify([status, body]).replaceAll(id, 'the identifier').replaceAll(own_values, '');

  const taking = endpoints.filter((endpoint) => {
    const schemas = JSON.stringify([endpoint.path, endpoint.query, endpoint.body]);
    return /"\^[a-z]+_/.test(schemas) && endpoint.id !== 'deleteMe';
  });
  it.each(taking.map((endpoint) => [endpoint.route, endpoint] as const))('%s', async (_route, endpoint) => {
    const seen = new Set<string>();
    const different: string[] = [];
    for (let seed = 1; seed <= draws; seed++) {
      const request = drawRequest(endpoint, seed);
      for (const position of positionsIn(request).filter((one) => !seen.has(nameOf(one)))) {
        seen.add(nameOf(position));
        if (position.prefix === 'usr' && despite_blocks.has(endpoint.id)) continue;
        for (const { name, token } of callers.filter(({ is_guest }) => !is_guest || endpoint.gate === 'guest')) {
          for (const id of (others.get(position.prefix) ?? []).slice(0, tried)) {
            const absent = absentLike(id);
            const sendWith = async (one: string) =>
              answerOf(await send(endpoint, token, replaceAt(request, position.at, one)), one);
            const first = await sendWith(absent);
            const before = await rowsOfOthers();
            const got = await sendWith(id);
            // What is accepted once may be refused when it is repeated.
            if (got !== first && got !== (await sendWith(absent)))
              different.push(`${nameOf(position)} of ${name}: ${got} instead of ${first}`);
            expect([nameOf(position), await rowsOfOthers()]).toEqual([nameOf(position), before]);
          }
        }
      }
    }
    expect(different).toEqual([]);
  });
});
