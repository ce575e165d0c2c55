import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maintenance_jobs } from '../../app/jobs/maintenance.ts';
import { createSubscription, pushesOf, registerDevice } from '../../testing/steps/devices.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, signInAgain, type Persona, type Personas } from '../../testing/world/personas.ts';
import { postStatus, replyTo } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /push-token', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const devices = async ({ id }: Persona) => {
    const { rows } = await world.app.services.db.native.query(
      'select platform, session_id, sealed from push_tokens where user_id = $1 order by created_at, platform',
      [id],
    );
    return rows as { platform: string; session_id: string; sealed: string }[];
  };
  const phone = { platform: 'android', token: 'a-phone' };
  const mention = (who: Persona, by: Persona) => postStatus(world, by, `Hello @${who.username}`);

  it('registers a device once, stores its address encrypted, and sends pushes to it', async () => {
    const { alice, bob } = people;
    const { subscription } = createSubscription('https://push.example.org/alice');
    const body = { platform: 'web', subscription: { ...subscription, expirationTime: null } };
    expect([await registerDevice(world, alice, body), await registerDevice(world, alice, body)]).toEqual([201, 200]);
    const status = await mention(alice, bob);
    const [first, ...others] = await pushesOf(world, alice);
    expect([first?.subject, first?.text, others]).toEqual(['bob', 'bob mentioned you', []]);
    expect(JSON.stringify(await devices(alice))).not.toContain('push.example.org');
    await replyTo(world, status, alice, 'My own act');
    expect(await pushesOf(world, alice)).toHaveLength(1);
  });

  it('assigns a device to one owner, and one device per platform to a session', async () => {
    const { bob, carol } = people;
    expect(await registerDevice(world, bob, phone)).toBe(201);
    expect(await registerDevice(world, carol, phone)).toBe(201);
    expect([(await devices(bob)).length, (await devices(carol)).length]).toEqual([0, 1]);
    await registerDevice(world, carol, { platform: 'android', token: 'renewed' });
    await registerDevice(world, carol, { platform: 'ios', token: 'tablet' });
    expect((await devices(carol)).map(({ platform }) => platform)).toEqual(['android', 'ios']);
    // Pushes for the previous owner do not reach the new one.
    await registerDevice(world, bob, { platform: 'ios', token: 'sold' });
    await mention(bob, people.alice);
    await registerDevice(world, carol, { platform: 'ios', token: 'sold' });
    expect(await pushesOf(world, bob)).toEqual([]);
    expect(await pushesOf(world, carol)).toEqual([]);
  });

  it('deletes the device with its session', async () => {
    const { alice } = people;
    const again = await signInAgain(world, alice);
    await registerDevice(world, again, { platform: 'ios', token: 'second' });
    expect((await devices(alice)).map(({ session_id }) => session_id)).toContain(again.session_id);
    await world.call(`DELETE /auth/sessions/${again.session_id}`, { token: alice.token });
    expect((await devices(alice)).map(({ session_id }) => session_id)).not.toContain(again.session_id);
  });

  it('deletes the device of an expired session', async () => {
    const { carol } = people;
    const { session_id } = await signInAgain(world, carol).then(async (again) => {
      await registerDevice(world, again, { platform: 'ios', token: 'in-a-drawer' });
      return again;
    });
    const { db } = world.app.services;
    await db.native.query("update sessions set expires_at = now() - interval '1 hour' where id = $1", [session_id]);
    const before = (await devices(carol)).length;
    await maintenance_jobs[0]?.run({}, world.app.services);
    expect((await devices(carol)).length).toBe(before - 1);
  });

  it('sends no push for an event that is void by the time of sending', async () => {
    const { alice, bob, carol } = people;
    await registerDevice(world, alice, phone);
    await world.settle();
    const before = (await pushesOf(world, alice)).length;
    const gone = await mention(alice, bob);
    await world.call(`DELETE /statuses/${gone.id}`, { token: bob.token });
    await mention(alice, bob);
    await world.call('POST /notifications/read-all', { token: alice.token, body: {} });
    await mention(alice, carol);
    await block(world, alice, carol);
    expect((await itemsOf(world, '/notifications', alice)).filter(({ read }: { read: boolean }) => !read)).toEqual([]);
    expect(await pushesOf(world, alice)).toHaveLength(before);
    await mention(alice, bob);
    expect(await pushesOf(world, alice)).toHaveLength(before + 1);
  });

  it('sends no text if push_text is off', async () => {
    const { alice, bob } = people;
    await registerDevice(world, alice, phone);
    await world.call('PATCH /me', { token: alice.token, body: { push_text: false } });
    await mention(alice, bob);
    const [newest] = await pushesOf(world, alice);
    expect([newest?.subject, newest?.text]).toEqual(['notification.created', '']);
  });

  it('replaces pending pushes about the same subject with the newest', async () => {
    const { alice, bob } = people;
    await registerDevice(world, alice, phone);
    const status = await postStatus(world, alice, 'Talk to me');
    const before = (await pushesOf(world, alice)).length;
    for (let at = 0; at < 3; at++) await replyTo(world, status, bob, `Reply ${at}`);
    expect(await pushesOf(world, alice)).toHaveLength(before + 1);
  });

  it('rejects invalid devices with 422 for the field', async () => {
    const { token } = people.bob;
    const { subscription } = createSubscription('https://push.example.org/bob');
    const { keys } = subscription;
    const off_curve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
    const fieldsOf = async (body: object) => {
      const answer = await world.call('POST /push-token', { token, body });
      return [answer.status, ...Object.keys(answer.body.error.fields)];
    };
    const at = (endpoint: string) => ({ platform: 'web', subscription: { endpoint, keys } });
    expect(await fieldsOf({ platform: 'ios' })).toEqual([422, 'token']);
    expect(await fieldsOf({ platform: 'web' })).toEqual([422, 'subscription']);
    expect(await fieldsOf({ platform: 'web', token: 'x', subscription })).toEqual([422, 'token']);
    expect(await fieldsOf({ platform: 'ios', token: 'x', subscription })).toEqual([422, 'subscription']);
    expect(await fieldsOf({ platform: 'android', token: 'x', voip_token: 'y' })).toEqual([422, 'voip_token']);
    expect(await fieldsOf({ platform: 'ios', voip_token: 'y' })).toEqual([422, 'token']);
    expect(await fieldsOf({ platform: 'ios', token: 'with space' })).toEqual([422, 'token']);
    for (const url of ['http://push.example.org', 'https://10.0.0.1/x', 'https://localhost/x', 'https://[::1]/', 'x'])
      expect(await fieldsOf(at(url))).toEqual([422, 'subscription.endpoint']);
    const forged = { ...subscription, keys: { ...keys, p256dh: off_curve } };
    expect(await fieldsOf({ platform: 'web', subscription: forged })).toEqual([422, 'subscription.keys.p256dh']);
  });
});
