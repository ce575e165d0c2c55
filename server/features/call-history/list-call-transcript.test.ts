import { expect, it } from 'vitest';
import { connectMedia, requestGrants, startCall } from '../../testing/steps/calls.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Persona } from '../../testing/world/personas.ts';
import { createWorld } from '../../testing/world/world.ts';

it('GET /call-history/{conference_id}/chat returns messages to participants, from the time they joined', async () => {
  const world = await createWorld();
  const { alice, bob, carol } = findPersonas();
  const call = await startCall(world, alice, [bob], { privacy: 'public' });
  const send = ({ token }: Persona, body: string) =>
    world.call(`POST /calls/${call.join_code}/chat`, { token, body: { body } });
  const read = async (who: Persona) => {
    const { status, body } = await world.call(`GET /call-history/${call.conference_id}/chat`, { token: who.token });
    return status === 200 ? body.items.map((message: { body: string }) => message.body) : status;
  };
  await requestGrants(world, call.join_code, alice, bob);
  await connectMedia(world, call.conference_id, alice, bob);
  await send(bob, 'first');
  expect(await read(carol)).toBe(404);
  await requestGrants(world, call.join_code, carol);
  await connectMedia(world, call.conference_id, alice, bob, carol);
  await send(alice, 'second');
  await world.call('DELETE /calls/active', { token: alice.token });
  expect([await read(alice), await read(bob), await read(carol)]).toEqual([
    ['second', 'first'],
    ['second', 'first'],
    ['second'],
  ]);
  const [newest] = await itemsOf(world, `/call-history/${call.conference_id}/chat`, alice);
  expect((await itemsOf(world, `/call-history/${call.conference_id}/chat?before_id=${newest.id}`, alice)).length).toBe(
    1,
  );
  const missed = await startCall(world, alice, [bob]);
  await world.call('DELETE /calls/active', { token: alice.token });
  const path = `GET /call-history/${missed.conference_id}/chat`;
  expect([
    (await world.call(path, { token: alice.token })).status,
    (await world.call(path, { token: bob.token })).status,
  ]).toEqual([200, 404]);
  await world.close();
});

it('ends at the time they left for participants who came by a link that is no longer valid', async () => {
  const world = await createWorld();
  const { alice, bob, carol } = findPersonas();
  const call = await startCall(world, alice, [bob], { privacy: 'public' });
  await requestGrants(world, call.join_code, bob, carol);
  await connectMedia(world, call.conference_id, alice, bob, carol);
  const send = (body: string) =>
    world.call(`POST /calls/${call.join_code}/chat`, { token: alice.token, body: { body } });
  await send('to all');
  await world.call('PATCH /calls/active', { token: alice.token, body: { privacy: 'private' } });
  await world.clock.advance(5);
  await send('among us');
  await world.call('DELETE /calls/active', { token: alice.token });
  const read = async (who: Persona) =>
    (await itemsOf(world, `/call-history/${call.conference_id}/chat`, who)).map(({ body }: { body: string }) => body);
  expect([await read(bob), await read(carol)]).toEqual([['among us', 'to all'], ['to all']]);
  await world.close();
});

it('is also returned to a participant who wrote messages but whose media never connected', async () => {
  const world = await createWorld();
  const { alice, bob, carol } = findPersonas();
  const call = await startCall(world, alice, [bob, carol]);
  await requestGrants(world, call.join_code, bob);
  await world.call(`POST /calls/${call.join_code}/chat`, { token: bob.token, body: { body: 'I hear nothing' } });
  await world.call('DELETE /calls/active', { token: alice.token });
  const read = ({ token }: Persona) => world.call(`GET /call-history/${call.conference_id}/chat`, { token });
  const [his, hers] = [await read(bob), await read(carol)];
  expect([his.status, his.body.items.map((message: { body: string }) => message.body)]).toEqual([
    200,
    ['I hear nothing'],
  ]);
  expect(hers.status).toBe(404);
  await world.close();
});
