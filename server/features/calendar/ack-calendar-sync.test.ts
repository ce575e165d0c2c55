import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedFields, createEvent } from '../../testing/steps/calendar.ts';
import { findPersonas, signInAgain, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /calendar/sync/ack', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const sync = async ({ token }: { token: string }) => (await world.call('GET /calendar/sync', { token })).body;
  const ack = ({ token }: { token: string }, cursor: string) =>
    world.call('POST /calendar/sync/ack', { token, body: { cursor } });

  it('applies to one session; a late ack of an older cursor has no effect', async () => {
    const { alice } = people;
    const other = await signInAgain(world, alice);
    await createEvent(world, alice);
    const { cursor: first } = await sync(alice);
    expect((await ack(alice, first)).status).toBe(204);
    expect((await sync(alice)).items).toEqual([]);
    await createEvent(world, alice);
    const { cursor: second, items } = await sync(alice);
    expect(items).toHaveLength(1);
    await ack(alice, second);
    expect((await ack(alice, first)).status).toBe(204);
    expect((await sync(alice)).items).toEqual([]);
    expect((await sync(other)).items).toHaveLength(2);
  });

  it('rejects an invalid cursor with 422 and a cursor that was never issued with 410', async () => {
    expect(refusedFields(await ack(people.bob, 'nonsense'))).toEqual([422, ['cursor']]);
    await createEvent(world, people.alice);
    expect((await ack(people.bob, (await sync(people.alice)).cursor)).status).toBe(410);
  });
});
