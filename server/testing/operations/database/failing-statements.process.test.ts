/**
 * A statement that fails, whichever one of an operation it is, is never told as a mistake of the caller: the answer is 5xx, or
 * the operation does without it.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../app/app.ts';
import type { Queryable } from '../../../kernel/database/database.ts';
import { routeOf, type Endpoint } from '../../../kernel/endpoint.ts';
import { usual_seed } from '../../../../testing/seed.ts';
import { drawPng } from '../../samples/media.ts';
import { multipart } from '../../samples/upload.ts';
import { findPersonas, type Personas } from '../../world/personas.ts';
import { restoreRows, readRows, type StoredRows } from '../../world/stored-rows.ts';
import { createWorld, type World } from '../../world/world.ts';
import { accepted_posts } from '../requests/accepted-posts.ts';
import { valuesOf } from '../requests/schema-values.ts';
import { createTargets, type Targets } from '../requests/targets.ts';

const draws = 4;
/** Of an operation with more statements, the first ones fail, one after the other. */
const max_statements = 16;
const methods = ['many', 'maybe', 'one', 'run'] as const;

class BrokenStatement extends Error {}

describe('a statement that fails', () => {
  let world: World;
  let people: Personas;
  let targets: Targets;
  let rows: StoredRows;
  let picture: Buffer;
  /** How many statements were sent, and which one fails. */
  let sent = 0;
  let failing = Infinity;
  /** How many operations were tried, and how many requests were answered with 5xx. */
  let tried_count = 0;
  let failed = 0;

  /** Counts the statements of a database or a transaction, and fails one. */
  function watch<Q extends Queryable>(queryable: Q): Q {
    return new Proxy(queryable, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if ((methods as readonly (string | symbol)[]).includes(name))
          return (statement: unknown) => {
            sent += 1;
            if (sent === failing) return Promise.reject(new BrokenStatement('the database has failed'));
            return value.call(target, statement) as unknown;
          };
        if (name === 'transaction' || name === 'together')
          return (...works: ((inner: Queryable) => unknown)[]) =>
            value.apply(
              target,
              works.map((work) => (inner: Queryable) => work(watch(inner))),
            ) as unknown;
        return value.bind(target) as unknown;
      },
    });
  }

  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    people = findPersonas();
    targets = await createTargets(world, people);
    picture = await drawPng(8, 8);
    await world.settle();
    rows = await readRows(world.app.services.db.native);
    world.app.services.db = watch(world.app.services.db);
  });
  afterAll(async () => {
    await world.close();
    // Most requests must have failed; a run of some operations cannot tell.
    if (tried_count === tried.length) expect(failed).toBeGreaterThan(500);
  });

  async function restore(): Promise<void> {
    const client = await world.app.services.db.native.connect();
    await restoreRows(client, rows).finally(() => client.release());
    world.forget();
  }

  /** A request that the operation accepts, if one is found. */
  async function findAccepted(endpoint: Endpoint): Promise<(() => Promise<number>) | undefined> {
    const { method, path: template } = routeOf(endpoint);
    const accepted = await accepted_posts[template]?.(world, people);
    const path = accepted?.path ?? targets.pathOf(endpoint);
    const { token } = accepted?.who ?? people.alice;
    const bodies = accepted
      ? [accepted.body]
      : endpoint.body
        ? fc.sample(
            valuesOf(endpoint.body, (prefix) => targets.ids(prefix)),
            { numRuns: draws, seed: usual_seed },
          )
        : [undefined];
    for (const body of bodies) {
      const content =
        endpoint.kind === 'upload' ? multipart(picture) : method === 'GET' || body === undefined ? {} : { body };
      const before = await readRows(world.app.services.db.native, rows.tables);
      const send = async () => (await world.call(`${method} ${path}`, { token, ...content })).status;
      [sent, failing] = [0, Infinity];
      if ((await send()) < 300) {
        rows = before;
        return send;
      }
    }
    return undefined;
  }

  const tried = endpoints.filter(({ id }) => !['deleteMe', 'streamRealtime'].includes(id));
  it.each(tried.map((endpoint) => [endpoint.route, endpoint] as const))('%s', async (_route, endpoint) => {
    tried_count += 1;
    const first_rows = rows;
    const send = await findAccepted(endpoint);
    const count = send ? Math.min(sent, max_statements) : 0;
    const told: [number, number][] = [];
    const sendFailing = async (at: number) => {
      [sent, failing] = [0, at];
      return (await send?.()) ?? 0;
    };
    for (let at = 1; at <= count; at++) {
      let status = await sendFailing(at);
      // An earlier one may have taken effect, as what fails after the commit does.
      if (status >= 400 && status < 500) {
        await restore();
        status = await sendFailing(at);
      }
      if (status >= 500) failed += 1;
      if (status >= 400 && status < 500) told.push([at, status]);
    }
    failing = Infinity;
    rows = first_rows;
    await restore();
    expect(told).toEqual([]);
  });
});
