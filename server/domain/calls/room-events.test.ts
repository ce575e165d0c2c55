import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFocus } from '../../app/focus.ts';
import { block, follow, createTag } from '../../testing/steps/follows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { joinRoom, saveRoom } from '../../testing/steps/rooms.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('room.updated', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const roomEvents = async (topic: string, room: { id: string }) =>
    (await world.events(topic))
      .filter(({ type, data }) => type === 'room.updated' && data.room_id === room.id)
      .map(({ data }) => data);
  const leave = (join_code: string, { token }: { token: string }) =>
    world.call(`POST /calls/${join_code}/leave`, { token });

  it('is sent to group members when the room is created or deleted, and when someone joins or leaves', async () => {
    const { alice, bob, carol } = people;
    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, bob);
    const room = await saveRoom(world, `/groups/${group.id}`, alice);
    await joinRoom(world, room.join_code, bob);
    await joinRoom(world, room.join_code, alice);
    await leave(room.join_code, bob);
    const room_ids = { room_id: room.id, group_id: group.id };
    const counts = (events: { participant_count: number }[]) =>
      events.map(({ participant_count }) => participant_count);
    for (const { id } of [alice, bob]) {
      const events = await roomEvents(`user:${id}`, room);
      expect(events[0]).toEqual({ ...room_ids, participant_count: 0 });
      expect(new Set(counts(events))).toEqual(new Set([0, 1, 2]));
      expect(counts(events).at(-1)).toBe(1);
    }
    const before = (await roomEvents(`user:${bob.id}`, room)).length;
    await world.call(`DELETE /groups/${group.id}/room`, { token: alice.token });
    expect(await roomEvents(`user:${bob.id}`, room)).toHaveLength(before + 1);
    expect(await roomEvents(`user:${carol.id}`, room)).toEqual([]);
    await leave(room.join_code, alice);
  });

  it('is sent to viewers of the page of a tag with a public room, except blocked users', async () => {
    const { alice, bob, carol } = people;
    const { services } = world.app;
    const tag = await createTag(world, alice, 'mornings');
    const room = await saveRoom(world, `/xtags/${tag.id}`, alice, { privacy: 'public' });
    const recipients: string[][] = [];
    const { broadcast } = services;
    services.broadcast = (_event, user_ids) => void recipients.push(user_ids);
    const connections = [bob, carol].map(({ id }, at) =>
      createFocus(services.bus, id, `connection-${at}`, () => undefined),
    );
    const viewers = () => services.bus.members(`viewers:tag:${tag.id}`);
    for (const connection of connections)
      connection.receive(JSON.stringify({ type: 'focus', subject: { type: 'tag', id: tag.id } }));
    await expect.poll(async () => (await viewers()).length).toBe(2);
    await block(world, alice, carol);
    await joinRoom(world, room.join_code, bob);
    await expect.poll(() => recipients).toContainEqual([bob.id]);
    expect(recipients.flat()).not.toContain(carol.id);
    for (const connection of connections) connection.close();
    await expect.poll(viewers).toEqual([]);
    recipients.length = 0;
    connections[0]?.receive(JSON.stringify({ type: 'focus', subject: { type: 'tag', id: tag.id } }));
    await expect.poll(async () => (await viewers()).length).toBe(1);
    // A viewer who does not follow the tag receives nothing about a room for followers.
    await saveRoom(world, `/xtags/${tag.id}`, alice, { privacy: 'followers' });
    await leave(room.join_code, bob);
    await world.settle();
    expect(recipients).toEqual([]);
    services.broadcast = broadcast;
  });

  it('is sent to the followers of a tag, unless its room is private', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'evenings');
    await follow(world, tag, bob);
    const room = await saveRoom(world, `/xtags/${tag.id}`, alice);
    expect(await roomEvents(`stream:${tag.id}`, room)).toEqual([
      { room_id: room.id, tag_id: tag.id, participant_count: 0 },
    ]);
    await joinRoom(world, room.join_code, bob);
    expect((await roomEvents(`stream:${tag.id}`, room)).at(-1)).toMatchObject({ participant_count: 1 });
    await saveRoom(world, `/xtags/${tag.id}`, alice, { privacy: 'private' });
    const before = (await roomEvents(`stream:${tag.id}`, room)).length;
    await leave(room.join_code, bob);
    expect(await roomEvents(`stream:${tag.id}`, room)).toHaveLength(before);
    expect((await roomEvents(`user:${alice.id}`, room)).at(-1)).toMatchObject({
      room_id: room.id,
      participant_count: 0,
    });
  });
});
