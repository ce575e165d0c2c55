import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { registerDevice } from '../../testing/steps/devices.ts';
import { openAcceptedThread, openThread } from '../../testing/steps/messages.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { sql } from '../database/database.ts';
import { slow } from '../../../testing/slow-tests.ts';

it('a refusal under a new idempotency key charges the budgets of its operation once', async () => {
  const world = await createWorld({ limits: { contacts: 0 } });
  const { alice } = findPersonas();
  const body = { name: 'Ada', emails: [{ address: 'ada@example.org' }, { address: 'ada@example.com' }] };
  const used: number[] = [];
  const with_key: Record<string, string> = { 'idempotency-key': 'a full address book' };
  for (const headers of [{}, with_key]) {
    const remaining = async () => (await world.app.services.throttle.peek('contact_addresses', alice.id)).remaining;
    const before = await remaining();
    expect((await world.call('POST /contacts', { token: alice.token, body, headers })).status).toBe(409);
    used.push(before - (await remaining()));
  }
  expect(used).toEqual([2, 2]);
  await world.close();
});

describe('stored answers of idempotency keys', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const storedRows = () =>
    world.app.services.db.many<{ row: string }>(sql`select to_jsonb(i)::text as row from idempotency i`);

  it('do not let anybody who reads the database guess the password of a registration', async () => {
    const body = { username: 'guessable', password: 'correct horse battery', email: 'guessable@example.com' };
    const made = await world.call('POST /auth/register', { body, headers: { 'idempotency-key': 'registration' } });
    expect(made.status).toBe(201);
    const guess = (separator: string) =>
      createHash('sha256').update(`/v1/auth/register${separator}`).update(JSON.stringify(body)).digest('base64url');
    const rows = (await storedRows()).map(({ row }) => row).join('\n');
    expect(rows).toContain('"operation": "register"');
    for (const hash of ['', '\n', '\0'].map(guess)) expect(rows).not.toContain(hash);
  });

  it('use bounded space for one account, however many large answers it asks for', slow, async () => {
    const small = await createWorld({ limits: { idempotency_bytes: 60_000 } });
    try {
      const { alice, bob } = people;
      const contacts = Array.from({ length: 60 }, (_, at) => ({ name: `Somebody ${at}` }));
      const preview = ({ token }: { token: string }, key: string) =>
        small.call('POST /contacts/import/preview', { token, body: { contacts }, headers: { 'idempotency-key': key } });
      expect((await preview(bob, 'first')).status).toBe(200);
      for (let at = 0; at < 6; at++) expect((await preview(alice, `preview ${at}`)).status).toBe(200);
      const { rows } = await small.app.services.db.native.query(
        'select owner, sum(octet_length(reply))::int as bytes, count(*)::int as count from idempotency group by owner',
      );
      const of = ({ id }: { id: string }) => rows.find(({ owner }) => owner === id);
      expect(of(alice).bytes).toBeLessThanOrEqual(60_000);
      expect(of(alice).bytes).toBeGreaterThan(8192);
      expect(of(bob).count).toBe(1);
      // The newest one is kept.
      expect((await preview(alice, 'preview 5')).headers['idempotent-replayed']).toBe('true');
    } finally {
      await small.close();
    }
  });

  it('are replayed when the budget of the handler itself is used up', async () => {
    const { alice } = people;
    const { throttle } = world.app.services;
    const add = (key: string) =>
      world.call('POST /contacts', {
        token: alice.token,
        body: { name: 'Ada', phones: [{ label: 'mobile', number: '+14155550199' }] },
        headers: { 'idempotency-key': key },
      });
    const first = await add('contact');
    expect(first.status).toBe(201);
    await throttle.consume('contact_addresses', alice.id, 49_999);
    const again = await add('contact');
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', first.body]);
    expect((await add('another contact')).status).toBe(429);
  });

  it('are replayed at no cost, except to a client that repeats a request endlessly', async () => {
    const { carol } = people;
    const repeat = async () => {
      const { headers } = await world.call('POST /xtags', {
        token: carol.token,
        body: { name: 'repeated' },
        headers: { 'idempotency-key': 'repeated' },
      });
      return [headers['idempotent-replayed'], /r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]];
    };
    const [, left] = await repeat();
    expect(await repeat()).toEqual(['true', left]);
    await world.app.services.throttle.consume('replay', carol.id, 599);
    expect(await repeat()).toEqual(['true', String(Number(left) - 1)]);
  });

  it('do not contain the secret addresses of a feed or a location link, which a replay still answers', async () => {
    const { alice } = people;
    const ask = (route: string, body: object) =>
      world.call(route, { token: alice.token, body, headers: { 'idempotency-key': 'addresses' } });
    const until = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
    for (const [route, body] of [
      ['POST /calendar/feed/regenerate', {}],
      ['POST /location/links', { expires_at: until }],
    ] as const) {
      const made = await ask(route, body);
      expect(made.status).toBe(201);
      const token = /([\w-]{32})(?:\.ics)?$/.exec(made.body.url)?.[1] ?? '';
      expect(token).not.toBe('');
      expect((await storedRows()).some(({ row }) => row.includes(token))).toBe(false);
      const again = await ask(route, body);
      expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([201, made.body, 'true']);
    }
  });

  it('are stored by the transaction that they belong to, which still shares its commit with others', async () => {
    const { alice, bob, carol } = people;
    const threads = await Promise.all([openAcceptedThread(world, alice, bob), openAcceptedThread(world, carol, bob)]);
    await registerDevice(world, bob, { platform: 'android', token: 'a-device-of-bob' });
    const send = (at: number, key: string) =>
      world.call(`POST /dm/threads/${threads[at]?.id}/chat`, {
        token: at === 0 ? alice.token : carol.token,
        body: { body: key },
        headers: { 'idempotency-key': key },
      });
    const { db } = world.app.services;
    const xids = () =>
      db.many<{ xid: string }>(sql`
        select xmin::text as xid from dm_messages where body like 'grouped %'
        union all select xmin::text from idempotency where operation = 'postThreadMessage'`);
    // The first message of each is sent without the cache, and the connections for groups are opened.
    for (let round = 0; round < 4; round++) {
      await db.run(sql`delete from idempotency where operation = 'postThreadMessage'`);
      await Promise.all([send(0, `round ${round}`), send(1, `round ${round}`)]);
    }
    await db.run(sql`delete from idempotency where operation = 'postThreadMessage'`);
    const sent = await Promise.all([send(0, 'grouped 1'), send(1, 'grouped 2')]);
    expect(sent.map(({ status }) => status)).toEqual([201, 201]);
    const found = await xids();
    expect(found).toHaveLength(4);
    expect(new Set(found.map(({ xid }) => xid)).size).toBe(1);
    const again = await Promise.all([send(0, 'grouped 1'), send(1, 'grouped 2')]);
    expect(again.map(({ body }) => body)).toEqual(sent.map(({ body }) => body));
    expect(again.map(({ headers }) => headers['idempotent-replayed'])).toEqual(['true', 'true']);
    expect(await xids()).toHaveLength(4);
  });

  it('stay free after a change that failed, and keep a refusal', async () => {
    const { alice, bob } = people;
    const thread = await openThread(world, alice, bob);
    const send = (body: object) =>
      world.call(`POST /dm/threads/${thread.id}/chat`, {
        token: alice.token,
        body,
        headers: { 'idempotency-key': 'refused first' },
      });
    const refused = await send({ body: 'Hello', reply_to: 'dm_00000000000000000000000000' });
    expect([refused.status, refused.body.error.fields]).toEqual([422, { reply_to: 'is not a message in this thread' }]);
    const again = await send({ body: 'Hello', reply_to: 'dm_00000000000000000000000000' });
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([refused.body, 'true']);
    expect((await send({ body: 'Other' })).body.error.code).toBe('idempotency_key_reused');
  });
});
