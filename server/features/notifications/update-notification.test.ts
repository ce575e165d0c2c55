import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow, itemsOf, createTag } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('PATCH /notifications/{note_id}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('marks a notification as read and unread', async () => {
    const { alice, bob } = people;
    const tag = await createTag(world, alice, 'one-tag');
    await follow(world, tag, bob);
    const [note] = await itemsOf(world, '/notifications', alice);
    const mark = (read: boolean, { token } = alice) =>
      world.call(`PATCH /notifications/${note.id}`, { token, body: { read } });
    expect((await mark(true)).body).toEqual({ ...note, read: true });
    expect((await mark(true)).body.read).toBe(true);
    expect((await mark(false)).body).toEqual(note);
    expect((await mark(true, bob)).status).toBe(404);
  });

  it('marks a notification as unread beside a newer one of its kind', async () => {
    const { alice, bob, carol } = people;
    const tag = await createTag(world, alice, 'two-tag');
    await follow(world, tag, bob);
    const [note] = await itemsOf(world, '/notifications', alice);
    const mark = (read: boolean) =>
      world.call(`PATCH /notifications/${note.id}`, { token: alice.token, body: { read } });
    await mark(true);
    await follow(world, tag, carol);
    const marked = await mark(false);
    expect([marked.status, marked.body]).toEqual([200, note]);
    const texts = (await itemsOf(world, '/notifications?unread=true', alice)).map(({ text }: { text: string }) => text);
    expect(texts.filter((text: string) => text.endsWith('*two-tag'))).toEqual([
      'carol started following *two-tag',
      'bob started following *two-tag',
    ]);
  });
});
