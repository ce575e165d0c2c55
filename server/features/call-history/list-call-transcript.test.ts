import { expect, it } from 'vitest';
import { connect, join, startCall } from '../../testing/calling.ts';
import { itemsOf } from '../../testing/following.ts';
import { findPersonas, type Persona } from '../../testing/personas.ts';
import { createWorld } from '../../testing/world.ts';

it('GET /call-history/{conference_id}/chat is the chat for those who were in the call, from when they came', async () => {
  const world = await createWorld();
  const { alice, bob, carol } = findPersonas();
  const call = await startCall(world, alice, [bob], { privacy: 'public' });
  const say = ({ token }: Persona, body: string) =>
    world.call(`POST /calls/${call.join_code}/chat`, { token, body: { body } });
  const read = async (who: Persona) => {
    const { status, body } = await world.call(`GET /call-history/${call.conference_id}/chat`, { token: who.token });
    return status === 200 ? body.items.map((one: { body: string }) => one.body) : status;
  };
  await join(world, call.join_code, alice, bob);
  await connect(world, call.conference_id, alice, bob);
  await say(bob, 'first');
  expect(await read(carol)).toBe(404);
  await join(world, call.join_code, carol);
  await connect(world, call.conference_id, alice, bob, carol);
  await say(alice, 'second');
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
