import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAcceptedThread, sendMessage } from '../../testing/steps/messages.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /dm/threads/{thread_id}/chat/{message_id}/edits', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('is readable by the two users only, through the thread of the message', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const other = await openAcceptedThread(world, carol, bob);
    const message = await sendMessage(world, thread, alice, 'Nine');
    const path = `/dm/threads/${thread.id}/chat/${message.id}`;
    const read = (token: string, at = `${path}/edits`) => world.call(`GET ${at}`, { token });
    expect((await read(bob.token)).body).toEqual({ items: [] });
    await world.call(`PATCH ${path}`, { token: alice.token, body: { body: 'Ten' } });
    const expected = { items: [{ body: 'Nine', replaced_at: expect.any(String) }] };
    expect([(await read(alice.token)).body, (await read(bob.token)).body]).toEqual([expected, expected]);
    const [outsider_response, elsewhere] = [
      await read(carol.token),
      await read(bob.token, `/dm/threads/${other.id}/chat/${message.id}/edits`),
    ];
    expect([outsider_response.status, elsewhere.status]).toEqual([404, 404]);
  });
});
