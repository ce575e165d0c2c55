/**
 * Imports compared with a model: whatever is edited before, between and after, a rollback undoes only its own changes
 * (N1).
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitImport, importLines, previewFile, previewLines, rollBackImport } from '../../steps/contacts.ts';
import { itemsOf } from '../../steps/follows.ts';
import { findPersonas, type Persona } from '../../world/personas.ts';
import { createWorld, type World } from '../../world/world.ts';

type Contact = { id: string; name: string; [field: string]: unknown };
/** The versions of a contact, newest last, and who wrote each: an import, or the owner. */
type History = { by: string; version: Contact | undefined }[];

const people = ['Ann', 'Bob', 'Cat', 'Dan'];
const numbers = ['+14155550101', '+14155550102', '+14155550103', '+14155550104'];
const row = fc.record({
  name: fc.constantFrom(...people),
  phone: fc.constantFrom('', ...numbers),
  email: fc.constantFrom('', 'a@x.org', 'b@x.org'),
  note: fc.constantFrom('', 'met', 'works'),
});
const place = fc.nat(100);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ act: fc.constant('add' as const), row }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('edit' as const), place, note: fc.constantFrom('x', 'y') }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('delete' as const), place }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('import' as const), rows: fc.array(row, { minLength: 1, maxLength: 5 }) }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('roll back' as const), place }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Row = Extract<Step, { act: 'add' }>['row'];

describe('imports of contacts', () => {
  let world: World;
  let alice: Persona;
  let bob: Persona;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    ({ alice, bob } = findPersonas());
  });
  afterAll(() => world.close());

  async function readBook(): Promise<Map<string, Contact>> {
    const items: Contact[] = await itemsOf(world, '/contacts?limit=100', alice);
    return new Map(items.map((contact) => [contact.id, contact]));
  }

  /** Records the latest changes: every contact that differs from the end of its history. */
  async function note(histories: Map<string, History>, by: string): Promise<void> {
    const book = await readBook();
    for (const id of new Set([...book.keys(), ...histories.keys()])) {
      const history = histories.get(id) ?? [];
      if (JSON.stringify(history.at(-1)?.version) !== JSON.stringify(book.get(id)))
        history.push({ by, version: book.get(id) });
      histories.set(id, history);
    }
  }

  /**
   * The expected effect of a rollback: each contact that it changed last returns to its previous version. Returns what
   * it must leave.
   */
  function undo(histories: Map<string, History>, batch: string): { contact_id: string; reason: string }[] {
    const left = [];
    for (const [contact_id, history] of histories) {
      const at = history.findIndex(({ by }) => by === batch);
      if (at < 0) continue;
      const was_created = history[at - 1]?.version === undefined;
      if (at === history.length - 1) history.pop();
      else if (history.at(-1)?.version) left.push({ contact_id, reason: 'edited' });
      else if (!was_created) left.push({ contact_id, reason: 'deleted' });
    }
    return left.sort((a, b) => (a.contact_id < b.contact_id ? -1 : 1));
  }

  const linesOf = (rows: Row[]) =>
    rows.map(({ name, phone, email, note: text }) => [name, phone, email, text].join(','));

  async function execute(action: Step, histories: Map<string, History>, batches: { id: string }[]): Promise<void> {
    const { token } = alice;
    const ids = [...(await readBook()).keys()];
    const picked = 'place' in action ? ids[action.place % Math.max(1, ids.length)] : undefined;
    await world.clock.advance(1);
    if (action.act === 'add') {
      const { name, phone, email, note: text } = action.row;
      const phones = phone ? [{ number: phone }] : [];
      const emails = email ? [{ address: email }] : [];
      await world.call('POST /contacts', { token, body: { name, phones, emails, note: text } });
      await note(histories, 'owner');
    } else if (action.act === 'edit' && picked) {
      await world.call(`PATCH /contacts/${picked}`, { token, body: { note: action.note } });
      await note(histories, 'owner');
    } else if (action.act === 'delete' && picked) {
      await world.call(`DELETE /contacts/${picked}`, { token });
      await note(histories, 'owner');
    } else if (action.act === 'import') {
      const batch = await importLines(world, alice, linesOf(action.rows));
      batches.push(batch);
      await note(histories, batch.id);
      const again = await previewLines(world, alice, linesOf(action.rows));
      expect(again.body.counts).toEqual({ create: 0, update: 0, skip: action.rows.length });
    } else if (action.act === 'roll back' && batches.length > 0) {
      const [batch] = batches.splice(action.place % batches.length, 1);
      const left = undo(histories, batch?.id ?? '');
      const { status, body } = await rollBackImport(world, alice, batch ?? { id: '' });
      expect([status, body.left]).toEqual([200, left]);
      const expected = [...histories].flatMap(([id, history]) =>
        history.at(-1)?.version ? [[id, history.at(-1)?.version]] : [],
      );
      expect(await readBook()).toEqual(new Map(expected as [string, Contact][]));
    }
  }

  it('are rolled back exactly, in any order, between any edits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        await world.app.services.db.native.query('delete from contacts');
        const histories = new Map<string, History>();
        const batches: { id: string }[] = [];
        for (const action of steps) {
          await execute(action, histories, batches);
          // The test's clock must not expire the session.
          await world.app.services.db.native.query("update session_tokens set expires_at = now() + interval '1 year'");
        }
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });

  it('of ten thousand contacts are committed and rolled back atomically', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => `Number ${at},+1416${String(2_000_000 + at)},n${at}@x.org`);
    const preview = await previewFile(world, bob, ['name,phone,email', ...rows].join('\n'));
    expect(preview.body.counts).toEqual({ create: 10_000, update: 0, skip: 0 });
    const { native } = world.app.services.db;
    const count = async (table: string) =>
      Number((await native.query(`select count(*) as n from ${table} where owner_id = $1`, [bob.id])).rows[0].n);
    const counts = new Set<number>();
    const writing = { done: false };
    const watch = async () => {
      while (!writing.done) counts.add(await count('contacts'));
    };
    const watching = watch();
    const { status, body } = await commitImport(world, bob, preview.body.preview_id);
    expect([status, body.created]).toEqual([201, 10_000]);
    const more = rows.map((line) => `${line.replace(',n', ',m')},Met`);
    const adding = await previewFile(world, bob, ['name,phone,email,note', ...more].join('\n'));
    const added = await commitImport(world, bob, adding.body.preview_id);
    expect([added.status, added.body.created, added.body.updated]).toEqual([201, 0, 10_000]);
    for (const batch of [added.body, body]) {
      const rolled_back = await rollBackImport(world, bob, batch);
      expect([rolled_back.status, rolled_back.body.left]).toEqual([200, []]);
    }
    writing.done = true;
    await watching;
    expect([...counts].filter((number) => number !== 0 && number !== 10_000)).toEqual([]);
    expect([await count('contacts'), await count('contact_addresses')]).toEqual([0, 0]);
  });
});
