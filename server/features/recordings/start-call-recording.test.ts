import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestGrants, advanceTime } from '../../testing/steps/calls.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { startRecordableCall, fakeRecorder } from '../../testing/samples/recording.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calls/active/recording', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);
  afterEach(async () => {
    await world.call('DELETE /calls/active', { token: people.alice.token });
    await world.settle();
  });

  const record = (token: string) => world.call('POST /calls/active/recording', { token, body: {} });

  it('notifies all participants before it starts and while it runs, including those who join later', async () => {
    const { alice, bob, carol } = people;
    const call = await startRecordableCall(world, alice, bob);
    const { status, body } = await record(alice.token);
    expect([status, body.recording]).toMatchObject([201, { state: 'announced', by: { username: 'alice' } }]);
    const lastRecording = async () => (await world.events(`user:${bob.id}`)).at(-1)?.data.call.recording;
    expect(await lastRecording()).toMatchObject({ id: body.recording.id, state: 'announced' });
    await advanceTime(world, 2);
    expect(fakeRecorder(world).running.size).toBe(0);
    await advanceTime(world, 2);
    expect([...fakeRecorder(world).running]).toEqual([[body.recording.id, call.conference_id]]);
    expect(await lastRecording()).toMatchObject({ id: body.recording.id, state: 'recording' });
    await world.call('PATCH /calls/active', { token: alice.token, body: { privacy: 'public' } });
    await requestGrants(world, call.join_code, carol);
    const seen = await world.call(`GET /calls/${call.join_code}`, { token: carol.token });
    expect(seen.body.recording).toMatchObject({ state: 'recording', by: { username: 'alice' } });
    const twice = await record(alice.token);
    expect([twice.status, twice.body.error.code]).toEqual([409, 'recording_in_progress']);
  });

  it('is allowed only to the host of a call with connected media', async () => {
    const { alice, bob, carol } = people;
    expect((await record(carol.token)).status).toBe(404);
    const { body: silent } = await world.call('POST /calls', { token: alice.token, body: { to: [] } });
    expect(silent.state).toBeDefined();
    expect((await record(alice.token)).body.error.code).toBe('call_not_live');
    await world.call('DELETE /calls/active', { token: alice.token });
    await startRecordableCall(world, alice, bob);
    expect((await record(bob.token)).status).toBe(403);
  });

  it('is cancelled if the media server has no such room for a minute', async () => {
    const { alice, bob } = people;
    await startRecordableCall(world, alice, bob);
    const { recorder } = world.app.services;
    const { start } = recorder;
    recorder.start = () => Promise.reject(new Error('no such room'));
    await record(alice.token);
    await advanceTime(world, 4);
    expect((await world.call('GET /calls/active', { token: alice.token })).body.recording).toMatchObject({
      state: 'announced',
    });
    await advanceTime(world, 60);
    expect((await world.call('GET /calls/active', { token: alice.token })).body.recording).toBeNull();
    recorder.start = start;
    expect((await record(alice.token)).status).toBe(201);
  });

  it('is rejected if the storage of the plan is full', async () => {
    const { alice, bob } = people;
    await startRecordableCall(world, alice, bob);
    const { native } = world.app.services.db;
    await native.query('update users set storage_bytes = 900000000 where id = $1', [alice.id]);
    expect((await record(alice.token)).body.error.code).toBe('plan_limit_reached');
    await native.query('update users set storage_bytes = 0 where id = $1', [alice.id]);
  });
});
