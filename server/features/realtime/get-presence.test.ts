import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { block, createTag, follow } from '../../testing/steps/follows.ts';
import { advanceToSecond, findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { createPresence } from '../../app/presence.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { wireTime } from '../../kernel/time.ts';
import { slow } from '../../../testing/slow-tests.ts';

const nobody = { online: false, last_seen_at: null };

describe('GET /presence/{user_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice, bob } = people;
    await follow(world, await createTag(world, alice, 'alices'), bob);
    await follow(world, await createTag(world, bob, 'bobs'), alice);
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const get = async (viewer: Persona, who: Persona) => {
    const { status, body } = await world.call(`GET /presence/${who.id}`, { token: viewer.token });
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const setting = async ({ token }: Persona, last_seen: boolean) => {
    const { status, body } = await world.call('PATCH /me', { token, body: { last_seen } });
    expect([status, body.last_seen]).toEqual([200, last_seen]);
  };
  /** Somebody is connected for a moment. @returns when that ended */
  const visit = async ({ id }: Persona, observer = people.bob) => {
    const presence = createPresence(world.app.services, 'node_test', 1);
    const leave = presence.arrive(id);
    await expect.poll(async () => (await get(observer, { id } as Persona)).online).toBe(true);
    await advanceToSecond(world, 60);
    leave();
    await expect.poll(async () => (await get(observer, { id } as Persona)).online).toBe(false);
    presence.close();
    return wireTime(world.clock.now());
  };

  it('shows a mutual follower when somebody was last online', async () => {
    const { alice, bob, carol } = people;
    expect(await get(bob, alice)).toEqual(nobody);
    const at = await visit(alice);
    await world.clock.advance(300);
    expect(await get(bob, alice)).toEqual({ online: false, last_seen_at: at });
    // Nobody else learns it, also not whether there is such an account.
    expect([await get(carol, alice), await get(bob, { id: `usr_${'0'.repeat(26)}` } as Persona)]).toEqual([
      nobody,
      nobody,
    ]);
  });

  it('is mutual, and forgets at once when it is switched off', slow, async () => {
    const { alice, bob } = people;
    await visit(alice);
    await setting(bob, false);
    expect(await get(bob, alice)).toEqual(nobody);
    await setting(bob, true);
    await setting(alice, false);
    await visit(alice);
    await setting(alice, true);
    expect(await get(bob, alice)).toEqual(nobody);
  });

  it('shows no earlier times to somebody who switches it on', slow, async () => {
    const { alice, bob } = people;
    await visit(alice);
    await setting(bob, false);
    await world.clock.advance(60);
    await setting(bob, true);
    expect(await get(bob, alice)).toEqual(nobody);
    const at = await visit(alice);
    expect(await get(bob, alice)).toEqual({ online: false, last_seen_at: at });
    // To switch on what is on changes nothing.
    await setting(bob, true);
    expect(await get(bob, alice)).toEqual({ online: false, last_seen_at: at });
  });

  it('ends with a block, a suspension, and following', async () => {
    const { alice, bob } = people;
    const { services } = world.app;
    const at = await visit(alice);
    await suspendUser(services, alice.id, { operator: 'test', reason: 'A test' });
    expect(await get(bob, alice)).toEqual(nobody);
    await services.db.native.query('update users set suspended_at = null where id = $1', [alice.id]);
    expect((await get(bob, alice)).last_seen_at).toBe(at);
    await block(world, bob, alice);
    expect(await get(bob, alice)).toEqual(nobody);
  });
});
