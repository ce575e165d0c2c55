import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryBus } from '../../engines/bus/memory.ts';
import { findPersonas, register, type Personas } from '../../testing/world/personas.ts';
import { openSocket } from '../../testing/running/realtime-receivers.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /realtime/stream', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const open = async (query: string, headers: Record<string, string> = {}) => {
    const url = `/v1/realtime/stream${query}`;
    const response = await world.app.http.inject({ method: 'GET', url, headers, payloadAsStream: true });
    return { status: response.statusCode, stream: response.stream() };
  };

  it('accepts a grant once', async () => {
    const { alice } = people;
    const { token } = (await world.call('POST /realtime/grant', { token: alice.token, body: {} })).body;
    const first = await open(`?token=${encodeURIComponent(token)}`);
    expect(first.status).toBe(200);
    first.stream.destroy();
    const second = await world.call(`GET /realtime/stream?token=${encodeURIComponent(token)}`);
    expect([second.status, second.body.error.code]).toEqual([401, 'token_invalid']);
  });

  it('accepts a grant as bearer token once; other operations reject it', async () => {
    const { alice } = people;
    const { token } = (await world.call('POST /realtime/grant', { token: alice.token, body: {} })).body;
    expect((await world.call('GET /me', { token })).body.error.code).toBe('token_invalid');
    const { status, stream } = await open('', { authorization: `Bearer ${token}` });
    expect(status).toBe(200);
    stream.destroy();
    for (const spent of [token, 'ast_forged', 'a.b.c.d']) {
      const refused = await world.call('GET /realtime/stream', { token: spent });
      expect([spent, refused.status, refused.body.error.code]).toEqual([spent, 401, 'token_invalid']);
    }
  });

  it('accepts a grant once even if the counter store is unavailable', async () => {
    const down = () => Promise.reject(new Error('the store is down'));
    const degraded = await createWorld({
      engines: { bus: { ...createMemoryBus(), increment: down, touch: down, members: down } },
    });
    const { token } = (await degraded.call('POST /realtime/grant', { token: people.alice.token, body: {} })).body;
    const spend = () => degraded.app.http.inject({ url: `/v1/realtime/stream?token=${token}`, payloadAsStream: true });
    const answers = await Promise.all([spend(), spend(), spend()]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401]);
    for (const answer of answers) answer.stream().destroy();
    await degraded.close();
  });

  it('has a budget of connections', async () => {
    const eager = await register(world, 'eager', 20);
    await world.app.services.throttle.consume('stream', eager.id, 120);
    const refused = await world.call('GET /realtime/stream', { token: eager.token });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  });

  it('counts uses of a spent grant, each of which would be looked up', async () => {
    const { token, id } = await register(world, 'patient', 21);
    const { body: grant } = await world.call('POST /realtime/grant', { token, body: {} });
    const spend = () => world.call(`GET /realtime/stream?token=${encodeURIComponent(grant.token)}`);
    const opened = await open(`?token=${encodeURIComponent(grant.token)}`);
    opened.stream.destroy();
    for (let count = 0; count < 3; count++) expect((await spend()).status).toBe(401);
    // The rest of the budget at once, so that no new window begins meanwhile.
    await world.app.services.throttle.consume('stream', id, 116);
    expect((await spend()).status).toBe(429);
  });

  it('rejects missing, forged and unverified credentials with different codes', async () => {
    const nobody = await world.call('GET /realtime/stream');
    expect([nobody.status, nobody.body.error.code]).toEqual([401, 'unauthenticated']);
    const forged = await world.call('GET /realtime/stream?token=a.b.c.d');
    expect([forged.status, forged.body.error.code]).toEqual([401, 'token_invalid']);
    const uma = await world.call('GET /realtime/stream', { token: people.uma.token });
    expect([uma.status, uma.body.error.code]).toEqual([403, 'mobile_unverified']);
  });

  it('emits ready, or reset for an unknown last event id', async () => {
    for (const [type, headers] of Object.entries<Record<string, string>>({
      ready: {},
      reset: { 'last-event-id': 'other.1.1' },
    })) {
      const authorization = `Bearer ${people.bob.token}`;
      const { stream } = await open('', { authorization, ...headers });
      const [first] = (await stream[Symbol.asyncIterator]().next()).value.toString().split('\n');
      expect(first).toBe(`event: ${type}`);
      stream.destroy();
    }
  });

  it('emits reset for an invalid last event id', async () => {
    const [epoch] = world.app.services.realtime.headId().split('.');
    const authorization = `Bearer ${people.bob.token}`;
    const first_lines = [];
    for (const last_event_id of ['', 'x', '1.2', `${epoch}.1.9999999999999999999`, `${epoch}.-1.1`, 'a'.repeat(500)]) {
      const { status, stream } = await open(`?last_event_id=${last_event_id}`, { authorization });
      const [first] = (await stream[Symbol.asyncIterator]().next()).value.toString().split('\n');
      first_lines.push([last_event_id, status, first]);
      stream.destroy();
    }
    expect(first_lines).toEqual(first_lines.map(([last_event_id]) => [last_event_id, 200, 'event: reset']));
  });

  it('emits reset for an invalid last event id on a WebSocket', slow, async () => {
    const sockets = await createWorld();
    try {
      const port = await sockets.app.listen();
      for (const last_event_id of [7, {}, true, 'x']) {
        const { token } = (await sockets.call('POST /realtime/grant', { token: people.bob.token, body: {} })).body;
        const url = `ws://127.0.0.1:${port}/v1/realtime/socket`;
        const receiver = await openSocket({ url, token }, last_event_id as string);
        expect(JSON.parse(receiver.received[0] ?? '')).toMatchObject({ type: 'reset' });
        receiver.close();
      }
      await sockets.app.services.throttle.consume('stream', people.bob.id, 116);
      const { token } = (await sockets.call('POST /realtime/grant', { token: people.bob.token, body: {} })).body;
      await expect(openSocket({ url: `ws://127.0.0.1:${port}/v1/realtime/socket`, token })).rejects.toThrow('4029');
    } finally {
      await sockets.close();
    }
  });

  it('opens no connection for a HEAD request', async () => {
    const before = world.app.services.realtime.connections();
    const { status, headers } = await world.call('HEAD /realtime/stream', { token: people.carol.token });
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
    await expect.poll(() => world.app.services.realtime.connections()).toBe(before);
  });
});
