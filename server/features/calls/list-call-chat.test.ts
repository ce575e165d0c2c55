import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actOnCallMessage, readCallChat, sendCallMessage, startJoinedCall } from '../../testing/steps/call-chat.ts';
import { connectMedia, requestGrants, startCall } from '../../testing/steps/calls.ts';
import { block, itemsOf } from '../../testing/steps/follows.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('GET /calls/{join_code}/chat', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('is readable by current and past participants, newest first', async () => {
    const { alice, bob, carol } = people;
    const { join_code, conference_id } = await startCall(world, alice, [bob, carol]);
    const read = (token: string, query = '') => world.call(`GET /calls/${join_code}/chat${query}`, { token });
    const send = (body: string) => world.call(`POST /calls/${join_code}/chat`, { token: alice.token, body: { body } });
    await send('while they rang');
    expect((await read(bob.token)).status).toBe(404);
    await requestGrants(world, join_code, bob);
    // A joining participant can already read and write, and can read these messages later.
    for (const body of ['one', 'two', 'three']) await send(body);
    expect((await read(bob.token)).body.items).toHaveLength(3);
    await connectMedia(world, conference_id, alice, bob);
    const page = (await read(bob.token, '?limit=2')).body;
    expect(page.items.map(({ body }: { body: string }) => body)).toEqual(['three', 'two']);
    expect(page.has_more).toBe(true);
    const rest = (await read(bob.token, `?before_id=${page.items[1].id}`)).body;
    expect([rest.items[0].body, rest.items.length, rest.has_more]).toEqual(['one', 1, false]);
    await world.call('DELETE /calls/active', { token: alice.token });
    expect((await read(bob.token)).body.items).toHaveLength(3);
    expect((await read(alice.token)).body.items).toHaveLength(4);
    expect((await read(carol.token)).status).toBe(404);
  });

  const textsFor = async (call: { join_code: string; conference_id: string }, reader: Persona) =>
    (await readCallChat(world, call, reader)).map(({ body }: { body: string }) => body);
  const opens = async ({ id }: { id: string }, { token }: Persona) =>
    (await world.call(`POST /files/${id}/stream-token`, { token, body: {} })).status;

  it('hides the messages and files of a person across a block after the call', slow, async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, carol, alice, bob);
    const photo = await uploadPicture(world, alice);
    const message = await sendCallMessage(world, call, alice, 'of alice', { file_id: photo.id });
    await sendCallMessage(world, call, bob, 'of bob');
    await sendCallMessage(world, call, carol, 'of carol', { reply_to: message.id });
    await world.call('DELETE /calls/active', { token: carol.token });
    expect([await textsFor(call, bob), await opens(photo, bob)]).toEqual([['of carol', 'of bob', 'of alice'], 200]);
    await block(world, alice, bob);
    expect([await textsFor(call, bob), await opens(photo, bob)]).toEqual([['of carol', 'of bob'], 404]);
    expect(await textsFor(call, alice)).toEqual(['of carol', 'of alice']);
    expect([await textsFor(call, carol), await opens(photo, carol)]).toEqual([['of carol', 'of bob', 'of alice'], 200]);
    const history = `/call-history/${call.conference_id}/chat`;
    expect(await itemsOf(world, history, bob)).toEqual(await readCallChat(world, call, bob));
    const edits = await actOnCallMessage(world, call, bob, 'GET', message, { path: '/edits' });
    const react = { path: '/reaction', body: { emoji: '👍' } };
    const reaction = await actOnCallMessage(world, call, bob, 'PUT', message, react);
    expect([edits.status, reaction.status]).toEqual([404, 404]);
    await world.call(`DELETE /blocks/${bob.id}`, { token: alice.token });
    expect([await textsFor(call, bob), await opens(photo, bob)]).toEqual([['of carol', 'of bob', 'of alice'], 200]);
  });

  it('shows everything to participants with a block who are both in the call, and hides it when one has left', async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, carol, alice, bob);
    const photo = await uploadPicture(world, alice);
    await sendCallMessage(world, call, alice, 'before', { file_id: photo.id });
    await block(world, alice, bob);
    await sendCallMessage(world, call, alice, 'after');
    expect([await textsFor(call, bob), await opens(photo, bob)]).toEqual([['after', 'before'], 200]);
    await world.call(`POST /calls/${call.join_code}/leave`, { token: bob.token, body: {} });
    expect([await textsFor(call, bob), await opens(photo, bob)]).toEqual([[], 404]);
    expect(await textsFor(call, alice)).toEqual(['after', 'before']);
  });

  it('is empty for past participants with a block between them and the person who started the call', slow, async () => {
    const { alice, bob, carol } = people;
    const call = await startJoinedCall(world, alice, bob, carol);
    await world.call(`POST /calls/${call.join_code}/leave`, { token: alice.token, body: {} });
    const photo = await uploadPicture(world, bob);
    const message = await sendCallMessage(world, call, bob, 'of the new host', { file_id: photo.id });
    await world.call('DELETE /calls/active', { token: bob.token });
    expect([await textsFor(call, carol), await opens(photo, carol)]).toEqual([['of the new host'], 200]);
    await block(world, alice, carol);
    expect([await textsFor(call, carol), await opens(photo, carol)]).toEqual([[], 404]);
    const edits = await actOnCallMessage(world, call, carol, 'GET', message, { path: '/edits' });
    const history = await world.call(`GET /call-history/${call.conference_id}/chat`, { token: carol.token });
    expect([edits.status, history.status]).toEqual([404, 404]);
  });
});
