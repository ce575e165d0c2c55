import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { block } from '../../testing/steps/follows.ts';
import { createGroup, joinGroup, removeMember } from '../../testing/steps/groups.ts';
import { advanceToSecond, findPersonas, type Persona, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { wireTime } from '../../kernel/time.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /groups/{group_id}/chat/{message_id}/receipts', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  let contacts: Record<'bob' | 'carol', { id: string }>;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice, bob, carol } = people;
    group = await createGroup(world, alice, 'Band');
    contacts = { bob: await joinGroup(world, group, alice, bob), carol: await joinGroup(world, group, alice, carol) };
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const say = async (who: Persona, body: string): Promise<{ id: string }> => {
    await advanceToSecond(world, 60);
    return sendGroupMessage(world, group, who, body);
  };
  const mark = async (what: 'read' | 'delivered', who: Persona, { id }: { id: string }) => {
    await advanceToSecond(world, 60);
    const answer = await world.call(`POST /groups/${group.id}/chat/${what}`, {
      token: who.token,
      body: { up_to_id: id },
    });
    expect(answer.status).toBe(204);
    return wireTime(world.clock.now());
  };
  const ask = ({ token }: Persona, { id }: { id: string }) =>
    world.call(`GET /groups/${group.id}/chat/${id}/receipts`, { token });
  type Item = { user: { username: string }; state: string; at: string | null };
  const receipts = async (who: Persona, message: { id: string }) => {
    const { status, body } = await ask(who, message);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.items.map(({ user, state, at }: Item) => [user.username, state, at]);
  };
  const setReceipts = async ({ token }: Persona, read_receipts: boolean) =>
    expect((await world.call('PATCH /me', { token, body: { read_receipts } })).status).toBe(200);

  it('says who has read a message and who has received it, and when', async () => {
    const { alice, bob, carol } = people;
    const message = await say(alice, 'At eight?');
    expect(await receipts(alice, message)).toEqual([
      ['bob', 'sent', null],
      ['carol', 'sent', null],
    ]);
    const received = await mark('delivered', carol, message);
    expect(await receipts(alice, message)).toEqual([
      ['carol', 'delivered', received],
      ['bob', 'sent', null],
    ]);
    const read = await mark('read', bob, message);
    expect(await receipts(alice, message)).toEqual([
      ['bob', 'read', read],
      ['carol', 'delivered', received],
    ]);
  });

  it('keeps the time at which a question was read when it is answered, and does not invent one', async () => {
    const { alice, bob } = people;
    const question = await say(alice, 'At eight?');
    const read = await mark('read', bob, question);
    await say(bob, 'Fine');
    expect((await receipts(alice, question))[0]).toEqual(['bob', 'read', read]);
    const next = await say(alice, 'Good');
    const read_next = await mark('read', bob, next);
    expect((await receipts(alice, next))[0]).toEqual(['bob', 'read', read_next]);
    // It was read before the latest step.
    expect((await receipts(alice, question))[0]).toEqual(['bob', 'read', null]);
  });

  it('takes an answer for having read everything before it', async () => {
    const { alice, bob } = people;
    const messages = [await say(alice, 'One'), await say(alice, 'Two')];
    await say(bob, 'Yes');
    const at = wireTime(world.clock.now());
    for (const message of messages) expect((await receipts(alice, message))[0]).toEqual(['bob', 'read', at]);
  });

  it('shows what was read as delivered while either has receipts switched off', async () => {
    const { alice, bob } = people;
    const message = await say(alice, 'At eight?');
    const read = await mark('read', bob, message);
    for (const who of [alice, bob]) {
      await setReceipts(who, false);
      const { body } = await ask(alice, message);
      expect(body.items.find(({ user }: Item) => user.username === 'bob')).toMatchObject({
        state: 'delivered',
        at: read,
      });
      expect(body.reads_shown).toBe(who !== alice);
      await setReceipts(who, true);
    }
    expect((await receipts(alice, message))[0][1]).toBe('read');
  });

  it('does not tell whether a member with receipts switched off has read what was delivered', async () => {
    const { alice, bob, carol } = people;
    for (const who of [bob, carol]) await setReceipts(who, false);
    for (const text of ['At eight?', 'Or at nine?']) {
      const message = await say(alice, text);
      const times = [await mark('read', bob, message), await mark('delivered', carol, message)];
      expect(await receipts(alice, message)).toEqual([
        ['carol', 'delivered', times[1]],
        ['bob', 'delivered', times[0]],
      ]);
      await mark('read', carol, message);
      expect((await receipts(alice, message))[0]).toEqual(['carol', 'delivered', times[1]]);
    }
  });

  it('never moves back, and needs no confirmation of what was read', async () => {
    const { alice, bob } = people;
    const [first, second] = [await say(alice, 'One'), await say(alice, 'Two')];
    const received = await mark('delivered', bob, second);
    await mark('delivered', bob, first);
    expect((await receipts(alice, second))[0]).toEqual(['bob', 'delivered', received]);
    const read = await mark('read', bob, second);
    await mark('delivered', bob, second);
    expect((await receipts(alice, second))[0]).toEqual(['bob', 'read', read]);
  });

  it('is of own messages only, for members', async () => {
    const { alice, bob, carol } = people;
    const message = await say(bob, 'Mine');
    expect((await ask(alice, message)).status).toBe(403);
    await removeMember(world, group, contacts.carol, alice);
    expect((await ask(carol, message)).status).toBe(404);
    expect((await receipts(bob, message)).map(([name]: string[]) => name)).toEqual(['alice']);
    await world.call(`DELETE /groups/${group.id}/chat/${message.id}`, { token: bob.token });
    expect((await ask(bob, message)).status).toBe(404);
  });

  it('lists nobody who could not read the message, or has a block between them and its author', async () => {
    const { alice, bob, carol } = people;
    await removeMember(world, group, contacts.carol, alice);
    const early = await say(alice, 'Before Carol came back');
    await joinGroup(world, group, alice, carol);
    expect((await receipts(alice, early)).map(([name]: string[]) => name)).toEqual(['bob']);
    const late = await say(bob, 'All here?');
    await block(world, carol, bob);
    expect((await receipts(bob, late)).map(([name]: string[]) => name)).toEqual(['alice']);
  });
});
