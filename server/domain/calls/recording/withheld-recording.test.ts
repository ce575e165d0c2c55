import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMedia, requestGrants } from '../../../testing/steps/calls.ts';
import { block, createTag, follow, itemsOf } from '../../../testing/steps/follows.ts';
import { saveRoom } from '../../../testing/steps/rooms.ts';
import {
  createTrack,
  fakeRecorder,
  startRecordableCall,
  startRecording,
  stopRecording,
} from '../../../testing/samples/recording.ts';
import { findPersonas, type Persona, type Personas } from '../../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { slow } from '../../../../testing/slow-tests.ts';

type Call = { join_code: string; conference_id: string };

describe('a recording that continues after somebody was removed from its call', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const removeFrom = async ({ token }: Persona, person: Persona) => {
    const { body } = await world.call('GET /calls/active', { token });
    const { id } = body.participants.find(({ user }: { user: { id: string } }) => user.id === person.id);
    expect((await world.call(`DELETE /calls/active/participants/${id}`, { token })).status).toBe(204);
  };
  const leave = ({ token }: Persona, { join_code }: Call) =>
    world.call(`POST /calls/${join_code}/leave`, { token, body: {} });
  const change = ({ token }: Persona, body: object) => world.call('PATCH /calls/active', { token, body });
  const join = async (call: Call, person: Persona, ...others: Persona[]) => {
    await requestGrants(world, call.join_code, person);
    await connectMedia(world, call.conference_id, person, ...others);
  };
  /** A call whose callees are connected, and the lasting room of a tag of which all are followers. */
  const callOf = () => startRecordableCall(world, people.alice, people.bob, people.carol);
  const callInRoom = async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'booth');
    for (const who of [bob, carol]) await follow(world, tag, who);
    const { join_code } = await saveRoom(world, `/xtags/${tag.id}`, alice);
    await requestGrants(world, join_code, alice, bob, carol);
    const { conference_id } = (await world.call('GET /calls/active', { token: alice.token })).body;
    await connectMedia(world, conference_id, alice, bob, carol);
    return { join_code, conference_id, tag };
  };
  const callByLink = async () => {
    const { alice, bob, carol } = people;
    const call = await startRecordableCall(world, alice, carol);
    await change(alice, { privacy: 'public' });
    await join(call, bob, alice, carol);
    return call;
  };

  /** Who was not removed, `witness`, is Carol unless it says otherwise. */
  const cases: Record<string, () => Promise<{ call: Call; act: () => Promise<unknown>; witness?: Persona }>> = {
    'by its host': async () => ({ call: await callOf(), act: () => removeFrom(people.alice, people.bob) }),
    'after having left': async () => {
      const call = await callOf();
      return {
        call,
        async act() {
          await leave(people.bob, call);
          await removeFrom(people.alice, people.bob);
        },
      };
    },
    'and came back': async () => {
      const { alice, bob, carol } = people;
      const call = await callOf();
      return {
        call,
        async act() {
          await removeFrom(alice, bob);
          await connectMedia(world, call.conference_id, alice, carol);
          const body = { to: [{ user_id: bob.id }] };
          const { status } = await world.call('POST /calls/active/participants', { token: alice.token, body });
          expect(status).toBe(201);
          await join(call, bob, alice, carol);
        },
      };
    },
    'by a block, also when that ends': async () => ({
      call: await callOf(),
      async act() {
        await block(world, people.alice, people.bob);
        await world.call(`DELETE /blocks/${people.bob.id}`, { token: people.alice.token });
      },
    }),
    'by losing the right to enter its room': async () => {
      const { tag, ...call } = await callInRoom();
      return {
        call,
        act: () => world.call(`DELETE /followers/${people.bob.id}?xtag_id=${tag.id}`, { token: people.alice.token }),
      };
    },
    'since its room was made private': async () => {
      const { tag, ...call } = await callInRoom();
      return {
        call,
        act: () => world.call(`PUT /xtags/${tag.id}/room`, { token: people.alice.token, body: { privacy: 'private' } }),
        witness: people.alice,
      };
    },
    'since its link was closed': async () => ({
      call: await callByLink(),
      act: () => change(people.alice, { privacy: 'private' }),
    }),
  };

  it.each(Object.entries(cases))('%s is withheld from them', slow, async (_name, prepare) => {
    const { alice, bob, carol } = people;
    fakeRecorder(world).tracks = [createTrack('alice', [[0, 5000]])];
    const { call, act, witness = carol } = await prepare();
    const id = await startRecording(world, alice);
    expect(await itemsOf(world, '/recordings', bob)).toMatchObject([{ id }]);
    await act();
    await world.settle();
    await leave(carol, call);
    await stopRecording(world, alice, id);
    expect(await itemsOf(world, '/recordings', bob)).toEqual([]);
    const [seen] = await itemsOf(world, '/recordings', witness);
    expect(seen).toMatchObject({ id, state: 'ready' });
    const open = async ({ token }: Persona) =>
      (await world.call(`POST /files/${seen.tracks[0].file.id}/stream-token`, { token, body: {} })).status;
    expect([await open(witness), await open(bob)]).toEqual([200, 404]);
    const told = async ({ id: user_id }: Persona) =>
      (await world.events(`user:${user_id}`)).filter(({ type }) => type === 'recording.updated').length;
    expect([await told(witness), await told(bob)]).toEqual([1, 0]);
  });

  it('can still be played by them if it was over before', async () => {
    const { alice, bob } = people;
    await callOf();
    const id = await startRecording(world, alice);
    await stopRecording(world, alice, id);
    await removeFrom(alice, bob);
    expect(await itemsOf(world, '/recordings', bob)).toMatchObject([{ id }]);
  });
});
