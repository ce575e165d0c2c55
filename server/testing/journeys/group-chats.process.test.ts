/** Whatever happens in a group, each member reads and counts what a plain model says. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedOf } from '../../../tools/seed.ts';
import { sendGroupMessage, unreadCount, groupTexts } from '../chatting.ts';
import { joinGroup, createGroup, removeMember } from '../grouping.ts';
import { findPersonas, type Persona, type Personas } from '../personas.ts';
import { createWorld, type World } from '../world.ts';

const { seed, label } = seedOf(7);

type Name = 'alice' | 'bob' | 'carol';
type Written = { id: string; by: Name; seen_by: Set<Name>; deleted: boolean };
type Act = { kind: 'say' | 'delete' | 'read' | 'move' | 'block'; who: Name; at: number };

/** A group as it should be: who is in it, what was written, and how far each has read. */
class Model {
  readonly members = new Set<Name>(['alice', 'bob', 'carol']);
  readonly written: Written[] = [];
  readonly read = new Map<Name, number>();
  blocked = false;

  visible(who: Name): Written[] {
    return this.written.filter(({ seen_by }) => seen_by.has(who));
  }

  say(by: Name, id: string): void {
    const seen_by = new Set(this.members);
    if (this.blocked && by === 'bob') seen_by.delete('carol');
    if (this.blocked && by === 'carol') seen_by.delete('bob');
    this.written.push({ id, by, seen_by, deleted: false });
    this.read.set(by, this.written.length);
  }

  leave(who: Name): void {
    this.members.delete(who);
    this.read.delete(who);
    for (const { seen_by } of this.written) seen_by.delete(who);
  }

  unread(who: Name): number {
    const from = this.read.get(who) ?? 0;
    return this.written.filter(
      ({ by, seen_by, deleted }, at) => at >= from && by !== who && seen_by.has(who) && !deleted,
    ).length;
  }

  words(who: Name): (string | null)[] {
    return this.visible(who)
      .map(({ id, deleted }) => (deleted ? null : id))
      .toReversed();
  }
}

const acts = fc.array(
  fc.record({
    kind: fc.constantFrom<Act['kind']>('say', 'say', 'say', 'delete', 'read', 'move', 'block'),
    who: fc.constantFrom<Name>('alice', 'bob', 'carol'),
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

  /** Does one act in the service and in the model. */
  async function act(model: Model, group: { id: string }, contacts: Map<Name, { id: string }>, one: Act) {
    const { kind, who, at } = one;
    const me: Persona = people[who];
    const seen = model.visible(who);
    const chosen = seen[at % Math.max(1, seen.length)];
    if (kind === 'block') {
      const [route, body] = model.blocked
        ? [`DELETE /blocks/${people.bob.id}`, undefined]
        : ['POST /blocks', { user_id: people.bob.id }];
      await world.call(route, { token: people.carol.token, body });
      model.blocked = !model.blocked;
    } else if (kind === 'move' && who !== 'alice') {
      if (model.members.has(who)) {
        await removeMember(world, group, contacts.get(who) ?? { id: '' }, people.alice);
        model.leave(who);
      } else {
        contacts.set(who, await joinGroup(world, group, people.alice, me));
        model.members.add(who);
      }
    } else if (kind === 'say' && model.members.has(who)) {
      model.say(who, (await sendGroupMessage(world, group, me, 'words')).id);
    } else if (kind === 'read' && chosen) {
      await world.call(`POST /groups/${group.id}/chat/read`, { token: me.token, body: { up_to_id: chosen.id } });
      const up_to = model.written.indexOf(chosen) + 1;
      model.read.set(who, Math.max(model.read.get(who) ?? 0, up_to));
    } else if (kind === 'delete' && chosen) {
      const { status } = await world.call(`DELETE /groups/${group.id}/chat/${chosen.id}`, { token: me.token });
      const may = who === 'alice' || chosen.by === who;
      expect(status).toBe(chosen.deleted ? 404 : may ? 204 : 403);
      if (may) chosen.deleted = true;
    }
  }

  it('is read and counted as the model says', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (steps) => {
        await world.app.services.db.native.query('update groups set deleted_at = now()');
        await world.app.services.db.native.query('delete from blocks');
        const model = new Model();
        const group = await createGroup(world, people.alice, 'Band');
        const contacts = new Map<Name, { id: string }>();
        for (const who of ['bob', 'carol'] as const)
          contacts.set(who, await joinGroup(world, group, people.alice, people[who]));
        for (const one of steps) await act(model, group, contacts, one);
        for (const who of model.members) {
          const marks = model.words(who).map((id) => (id === null ? null : 'words'));
          expect([who, await groupTexts(world, group, people[who])]).toEqual([who, marks]);
          expect([who, await unreadCount(world, group, people[who])]).toEqual([who, model.unread(who)]);
        }
      }),
      { seed, numRuns: 12 },
    );
  });
});
