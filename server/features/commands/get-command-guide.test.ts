import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import { createTag } from '../../testing/steps/follows.ts';
import { createGroup } from '../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { availableGrammar } from './rules/guide.ts';

describe('GET /commands/guide', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const read = async (query = '') =>
    (await world.call(`GET /commands/guide${query}`, { token: people.alice.token })).body;

  it('has an entry for each command of this build', async () => {
    const { items, has_more } = await read();
    expect(has_more).toBe(false);
    const names = items.map(({ name }: { name: string }) => name);
    for (const name of [
      'call',
      'text',
      'voicemail',
      'message',
      'status',
      'follow',
      'unfollow',
      'block',
      'unblock',
      'add',
    ])
      expect(names).toContain(name);
    for (const name of ['group', 'schedule', 'remind', 'cancel', 'live', 'end', 'help']) expect(names).toContain(name);
    const call = items.find(({ name }: { name: string }) => name === 'call');
    expect(call).toMatchObject({
      syntax: expect.stringMatching(/^call TARGET/),
      arguments: [{ name: 'to', type: 'targets', required: true }],
    });
  });

  it('returns summaries in the language of the request, and the grammar always in English', async () => {
    const english = (await read()).items;
    for (const language of ['de', 'es', 'fr', 'ar']) {
      const { body } = await world.call('GET /commands/guide', {
        token: people.alice.token,
        headers: { 'accept-language': language },
      });
      for (const [at, { summary, ...grammar }] of body.items.entries()) {
        const { summary: in_english, ...same } = english[at];
        expect(grammar).toEqual(same);
        expect([language, summary.trim() === '' || summary === in_english]).toEqual([language, false]);
      }
    }
    const { body: help } = await world.call('POST /commands', {
      token: people.alice.token,
      body: { text: 'help help' },
      headers: { 'accept-language': 'de' },
    });
    expect(help.preview).toBe('Alle Befehle auflisten.');
    expect(help.result.items).toMatchObject([{ summary: 'Alle Befehle. Sie sind auf Englisch.' }]);
  });

  it('has examples that all parse as their command', async () => {
    for (const { name, examples } of (await read()).items) {
      expect(examples.length).toBeGreaterThan(0);
      for (const text of examples) {
        const answer = await world.call('POST /commands', { token: people.alice.token, body: { text, dry_run: true } });
        // The names in the examples need not exist.
        expect([text, answer.status, answer.body.command]).toEqual([text, 200, name]);
      }
    }
  });

  it('paginates', async () => {
    const { items } = await read();
    expect(await read('?limit=2&offset=1')).toEqual({ items: items.slice(1, 3), has_more: true });
  });

  it('omits commands whose operation does not exist in this build', () => {
    const { operations } = world.app.services;
    const only_statuses = {
      ...operations,
      has: (method: string, path: string) => `${method} ${path}` === 'POST /statuses',
    };
    expect(availableGrammar(only_statuses).map(({ command }) => command.name)).toEqual(['status', 'help']);
  });

  it('has examples that are understood if the names in them exist', async () => {
    const { alice, bob, carol } = people;
    await createTag(world, bob, 'jazz');
    await world.call('PATCH /me', { token: carol.token, body: { reach: { find: 'everyone' } } });
    const named = [
      { name: 'Anna', phones: [{ number: carol.mobile_number }] },
      { name: 'Anna Smith', phones: [{ number: '+14155550182' }] },
    ];
    for (const contact of named) await addContact(world, alice, contact);
    await createGroup(world, alice, 'Book club');
    const { items } = await read();
    const examples: string[] = items.flatMap((entry: { examples: string[] }) => entry.examples);
    expect(examples.length).toBeGreaterThan(20);
    for (const text of examples) {
      const { status, body } = await world.call('POST /commands', {
        token: alice.token,
        body: { text, dry_run: true },
      });
      // For a missing object, such as a call to end, the response is the 404 of the operation.
      expect([text, status === 404 ? 'absent' : (body.understood ?? body.error)]).toEqual([
        text,
        status === 404 ? 'absent' : true,
      ]);
    }
  });
});
