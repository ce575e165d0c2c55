/** After any operations in a group, each member reads and counts what a simple model returns. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedOf } from '../../../../testing/seed.ts';
import { sendGroupMessage, unreadCount, groupTexts } from '../../steps/group-chats.ts';
import { joinGroup, createGroup, removeMember } from '../../steps/groups.ts';
import { findPersonas, type Persona, type Personas } from '../../world/personas.ts';
import { createWorld, type World } from '../../world/world.ts';

const { seed, label } = seedOf(7);

type Name = 'alice' | 'bob' | 'carol';
type ModelMessage = { id: string; author: Name; visible_to: Set<Name>; deleted: boolean };
type Action = { kind: 'send' | 'delete' | 'read' | 'move' | 'block'; name: Name; at: number };

/** The expected state of a group: its members, its messages, and how far each member has read. */
class Model {
  readonly members = new Set<Name>(['alice', 'bob', 'carol']);
  readonly messages: ModelMessage[] = [];
  readonly read = new Map<Name, number>();
  blocked = false;

  visible(name: Name): ModelMessage[] {
    return this.messages.filter(({ visible_to }) => visible_to.has(name));
  }

  send(author: Name, id: string): void {
    const visible_to = new Set(this.members);
    if (this.blocked && author === 'bob') visible_to.delete('carol');
    if (this.blocked && author === 'carol') visible_to.delete('bob');
    this.messages.push({ id, author, visible_to, deleted: false });
    this.read.set(author, this.messages.length);
  }

  leave(name: Name): void {
    this.members.delete(name);
    this.read.delete(name);
    for (const { visible_to } of this.messages) visible_to.delete(name);
  }

  unread(name: Name): number {
    const from = this.read.get(name) ?? 0;
    return this.messages.filter(
      ({ author, visible_to, deleted }, at) => at >= from && author !== name && visible_to.has(name) && !deleted,
    ).length;
  }

  texts(name: Name): (string | null)[] {
    return this.visible(name)
      .map(({ id, deleted }) => (deleted ? null : id))
      .toReversed();
  }
}

const actions = fc.array(
  fc.record({
    kind: fc.constantFrom<Action['kind']>('send', 'send', 'send', 'delete', 'read', 'move', 'block'),
    name: fc.constantFrom<Name>('alice', 'bob', 'carol'),
    at: fc.nat(30),
  }),
  { minLength: 5, maxLength: 25 },
);

describe(`the chat of a group (${label})`, () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    people = findPersonas();
  });
  afterAll(() => world.close());

  /** Executes one action in the service and in the model. */
  async function act(model: Model, group: { id: string }, contacts: Map<Name, { id: string }>, step: Action) {
    const { kind, name, at } = step;
    const persona: Persona = people[name];
    const visible = model.visible(name);
    const chosen = visible[at % Math.max(1, visible.length)];
    if (kind === 'block') {
      const [route, body] = model.blocked
        ? [`DELETE /blocks/${people.bob.id}`, undefined]
        : ['POST /blocks', { user_id: people.bob.id }];
      await world.call(route, { token: people.carol.token, body });
      model.blocked = !model.blocked;
    } else if (kind === 'move' && name !== 'alice') {
      if (model.members.has(name)) {
        await removeMember(world, group, contacts.get(name) ?? { id: '' }, people.alice);
        model.leave(name);
      } else {
        contacts.set(name, await joinGroup(world, group, people.alice, persona));
        model.members.add(name);
      }
    } else if (kind === 'send' && model.members.has(name)) {
      model.send(name, (await sendGroupMessage(world, group, persona, 'words')).id);
    } else if (kind === 'read' && chosen) {
      await world.call(`POST /groups/${group.id}/chat/read`, { token: persona.token, body: { up_to_id: chosen.id } });
      const up_to = model.messages.indexOf(chosen) + 1;
      model.read.set(name, Math.max(model.read.get(name) ?? 0, up_to));
    } else if (kind === 'delete' && chosen) {
      const { status } = await world.call(`DELETE /groups/${group.id}/chat/${chosen.id}`, { token: persona.token });
      const may = name === 'alice' || chosen.author === name;
      expect(status).toBe(chosen.deleted ? 404 : may ? 204 : 403);
      if (may) chosen.deleted = true;
    }
  }

  it('equals the model in texts and unread counts', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (steps) => {
        await world.app.services.db.native.query('update groups set deleted_at = now()');
        await world.app.services.db.native.query('delete from blocks');
        const model = new Model();
        const group = await createGroup(world, people.alice, 'Band');
        const contacts = new Map<Name, { id: string }>();
        for (const name of ['bob', 'carol'] as const)
          contacts.set(name, await joinGroup(world, group, people.alice, people[name]));
        for (const step of steps) await act(model, group, contacts, step);
        for (const name of model.members) {
          const expected = model.texts(name).map((id) => (id === null ? null : 'words'));
          expect([name, await groupTexts(world, group, people[name])]).toEqual([name, expected]);
          expect([name, await unreadCount(world, group, people[name])]).toEqual([name, model.unread(name)]);
        }
      }),
      { seed, numRuns: 12 },
    );
  });
});
