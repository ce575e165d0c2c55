import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryBus } from '../../engines/bus/memory.ts';
import type { Bus } from '../../engines/ports.ts';
import { requestGrants, startCall } from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { default_limits } from './limits.ts';
import { createThrottle, throttle_table, type ThrottleClass } from './throttle.ts';
import { createClock } from '../time.ts';

/** A bus whose store can fail. */
function createFailingBus(): Bus & { is_down: boolean } {
  const bus = createMemoryBus();
  const failing = {
    ...bus,
    is_down: false,
    isConnected: () => !failing.is_down,
    increment: (key: string, ttl_ms: number, amount?: number) =>
      failing.is_down ? Promise.reject(new Error('the store is gone')) : bus.increment(key, ttl_ms, amount),
    publish: (channel: string, message: string) =>
      failing.is_down ? Promise.reject(new Error('the store is gone')) : bus.publish(channel, message),
  };
  return failing;
}

describe('rate budgets while their store is down', () => {
  const bus = createFailingBus();
  let world: World;
  let people: Personas;
  let join_code = '';
  beforeAll(async () => {
    world = await createWorld({ engines: { bus } });
    people = findPersonas();
    const call = await startCall(world, people.alice, [people.bob]);
    join_code = call.join_code;
    await requestGrants(world, join_code, people.alice, people.bob);
    bus.is_down = true;
  });
  afterAll(async () => {
    bus.is_down = false;
    await world.close();
  });

  it.each(Object.keys(throttle_table) as ThrottleClass[])('%s is refused or allowed as in the table', async (name) => {
    const throttle = createThrottle(bus, createClock(), 1);
    const consumed = throttle.consume(name, 'somebody');
    if (throttle_table[name].when_down === 'refuse')
      await expect(consumed).rejects.toMatchObject({ code: 'unavailable', status: 503, retry_after_s: 5 });
    else await expect(consumed).resolves.toMatchObject({ name, remaining: throttle_table[name].quota });
  });

  it('sign-in, codes and links are refused with 503', async () => {
    const { alice } = people;
    const bodies = {
      '/auth/login': { username: alice.username, password: alice.password },
      '/auth/login/verify': { login_id: 'log_0', code: '000000' },
      '/auth/register/verify': { registration_id: 'reg_0', code: '000000' },
      '/auth/magic-link/consume': { token: 'x' },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const { status, body: answer, headers } = await world.call(`POST ${path}`, { body });
      expect([path, status, answer.error.code]).toEqual([path, 503, 'unavailable']);
      expect(headers['retry-after']).toBe('5');
    }
  });

  it('messages and other requests of signed-in users are allowed', async () => {
    const { alice, bob } = people;
    const written = await world.call(`POST /calls/${join_code}/chat`, {
      token: alice.token,
      body: { body: 'Still here.' },
    });
    expect(written.status).toBe(201);
    expect((await world.call('GET /me', { token: bob.token })).status).toBe(200);
    const code = await world.call('POST /me/mobile/codes', { token: bob.token, body: {} });
    expect(code.status).toBe(202);
    expect((await world.sent(bob.mobile_number))[0]?.code).toMatch(/^\d{6}$/);
  });
});

describe('the rate budget of an address', () => {
  const bus = createMemoryBus();
  afterAll(() => bus.close());
  const throttle = createThrottle(bus, createClock(), 1);
  const left = async (address: string) => (await throttle.consume('sign_in_ip', address)).remaining;
  const { quota } = throttle_table.sign_in_ip;

  it('is shared by an IPv6 /64 network', async () => {
    for (const [at, address] of [
      '2001:db8:0:2::1',
      '2001:DB8:0:2:ffff:0:0:9',
      '2001:db8::2:0:0:1:1',
      '2001:0db8:0000:0002::',
    ].entries())
      expect([address, await left(address)]).toEqual([address, quota - at - 1]);
    for (const other of ['2001:db8:0:3::1', '2001:db8::', '::1', '::ffff:192.0.2.1', '::ffff:192.0.2.2', '192.0.2.3'])
      expect([other, await left(other)]).toEqual([other, quota - 1]);
    expect(await left('192.0.2.1')).toBe(quota - 2);
  });

  it('ignores the port that a proxy has forwarded with it', async () => {
    for (const [at, address] of ['198.51.100.7:4001', '198.51.100.7:4002', '198.51.100.7'].entries())
      expect([address, await left(address)]).toEqual([address, quota - at - 1]);
    for (const [at, address] of ['[2001:db8:7::1]:4001', '[2001:db8:7::2]', '2001:db8:7::3'].entries())
      expect([address, await left(address)]).toEqual([address, quota - at - 1]);
  });

  it('of a /56 and of a /48 is a small multiple, which one /64 of them cannot use up', async () => {
    const useAll = async (address: string) => {
      let used = 0;
      for (let at = 0; at < 2 * quota; at++) if (await throttle.tryConsume('sign_in_ip', address)) used += 1;
      return used;
    };
    const uses: number[] = [];
    // Two networks of the first /56, and one of each further.
    for (const part of ['1', '2', '3', '100', '200', '300', '400']) uses.push(await useAll(`2001:db8:9:${part}::1`));
    expect(uses).toEqual([quota, quota, 0, quota, quota, 0, 0]);
    expect([default_limits.budget_of_56, default_limits.budget_of_48]).toEqual([2, 4]);
    expect(await throttle.tryConsume('sign_in_ip', '2001:db8:9:ff00::1')).toBe(false);
    expect(await left('2001:db8:a::1')).toBe(quota - 1);
  });

  it('and of an account in it is shared in the same way', async () => {
    let used = 0;
    for (let at = 0; at < 300; at++)
      if (await throttle.tryConsume('sign_in', `somebody 2001:db8:b:${at.toString(16)}::1`)) used += 1;
    // All in one /48, in two networks of 56 bits.
    expect(used).toBe(throttle_table.sign_in.quota * default_limits.budget_of_48);
    expect(await throttle.tryConsume('sign_in', 'another 2001:db8:b::1')).toBe(true);
  });

  it('is the same where the counts are in another process', async () => {
    const remote: Bus = { ...bus, increment: async (...of) => bus.increment(...of) };
    const far = createThrottle(remote, createClock(), 1);
    const counts: number[] = [];
    for (const part of ['1', '2', '100', '200', '300'])
      for (let at = 0; at < quota + 5; at++)
        if (await far.tryConsume('sign_in_ip', `2001:db8:c:${part}::1`)) counts.push(at);
    expect(counts).toHaveLength(quota * default_limits.budget_of_48);
    expect(await far.peek('sign_in_ip', '2001:db8:c:ff00::1')).toMatchObject({ remaining: 0 });
    await far.refund('sign_in_ip', '2001:db8:c:1::1');
    expect((await far.peek('sign_in_ip', '2001:db8:c:ff00::1')).quota).toBe(quota * default_limits.budget_of_48);
  });
});
