import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { startRecording, startRecordableCall, fakeRecorder } from '../../testing/samples/recording.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PUT /calls/{join_code}/recording/consent', () => {
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

  const answer = (join_code: string, { token }: Persona, agreed: boolean) =>
    world.call(`PUT /calls/${join_code}/recording/consent`, { token, body: { agreed } });
  /** Joins with a client that asks for consent. */
  const joinAskingConsent = (join_code: string, { token }: Persona) =>
    world.call(`POST /calls/${join_code}/sfu-grant`, { token, body: { asks_consent: true } });
  async function consentsOf(join_code: string, { token }: Persona): Promise<Record<string, string | null>> {
    const { body } = await world.call(`GET /calls/${join_code}`, { token });
    type Participant = { user: { username: string }; recording_consent: string | null };
    return Object.fromEntries(
      body.participants.map((item: Participant) => [item.user.username, item.recording_consent]),
    );
  }

  it('withholds a participant from the recording until they agree, and after they decline', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob, carol);
    for (const who of [alice, bob]) expect((await joinAskingConsent(join_code, who)).status).toBe(200);
    expect(await consentsOf(join_code, carol)).toEqual({ alice: null, bob: null, carol: null });
    const recording_id = await startRecording(world, alice);
    const first = (await world.events(`user:${bob.id}`)).find(({ data }) => data.call?.recording)?.data.call;
    const asked_participants = first.participants.filter(
      (participant: { recording_consent: string }) => participant.recording_consent === 'asked',
    );
    expect([first.recording.state, asked_participants.length]).toEqual(['announced', 1]);
    const withheld = () => fakeRecorder(world).withheld(recording_id);
    // The user who started it has agreed; carol's client does not ask for consent, and she was notified.
    expect(await consentsOf(join_code, carol)).toEqual({ alice: null, bob: 'asked', carol: null });
    expect(await withheld()).toEqual([bob.id]);
    const agreed = await answer(join_code, bob, true);
    expect([agreed.status, agreed.body.recording.id]).toEqual([200, recording_id]);
    expect(await withheld()).toEqual([]);
    const participants = (await world.events(`user:${alice.id}`)).at(-1)?.data.call.participants;
    expect(
      participants.map((participant: { recording_consent: string | null }) => participant.recording_consent),
    ).toContain('agreed');
    await answer(join_code, bob, false);
    await answer(join_code, carol, false);
    expect(await consentsOf(join_code, alice)).toEqual({ alice: null, bob: 'declined', carol: 'declined' });
    expect((await withheld()).toSorted()).toEqual([bob.id, carol.id].toSorted());
  });

  it('also withholds the phone by which a participant is in the call', async () => {
    const { alice, bob } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    await joinAskingConsent(join_code, bob);
    const { body } = await world.call(`POST /calls/${join_code}/call-me`, { token: bob.token, body: {} });
    const phone_id = body.participants[1].id;
    const recording_id = await startRecording(world, alice);
    const withheld = () => fakeRecorder(world).withheld(recording_id);
    expect(await withheld()).toEqual([bob.id, phone_id]);
    await answer(join_code, bob, true);
    expect(await withheld()).toEqual([]);
    await answer(join_code, bob, false);
    expect(await withheld()).toEqual([bob.id, phone_id]);
  });

  it('asks participants who join during the recording, and all again for another recording', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    await joinAskingConsent(join_code, bob);
    const first = await startRecording(world, alice);
    await answer(join_code, bob, true);
    await world.call('PATCH /calls/active', { token: alice.token, body: { privacy: 'public' } });
    await joinAskingConsent(join_code, carol);
    expect(await consentsOf(join_code, alice)).toEqual({ alice: null, bob: 'agreed', carol: 'asked' });
    expect(await fakeRecorder(world).withheld(first)).toEqual([carol.id]);
    await world.call('DELETE /calls/active/recording', { token: alice.token });
    fakeRecorder(world).end(first);
    await world.settle();
    expect(await consentsOf(join_code, alice)).toEqual({ alice: null, bob: null, carol: null });
    await startRecording(world, alice);
    expect(await consentsOf(join_code, alice)).toEqual({ alice: null, bob: 'asked', carol: 'asked' });
  });

  it('returns 409 if the call is not recorded, and 404 to those outside of the call', async () => {
    const { alice, bob, carol } = people;
    const { join_code } = await startRecordableCall(world, alice, bob);
    const early = await answer(join_code, bob, true);
    expect([early.status, early.body.error.code]).toEqual([409, 'not_recording']);
    await startRecording(world, alice);
    expect((await answer(join_code, carol, true)).status).toBe(404);
    expect((await answer('aaa-bbbb-ccc', bob, true)).status).toBe(404);
    const wrong = await world.call(`PUT /calls/${join_code}/recording/consent`, { token: bob.token, body: {} });
    expect([wrong.status, wrong.body.error.fields]).toEqual([422, { agreed: 'is required' }]);
  });
});
