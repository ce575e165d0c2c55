import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addContact,
  commitImport,
  importFile,
  importLines,
  previewLines,
  rollBackImport,
} from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { listen } from '../../testing/world/listening.ts';
import { waitForLocks } from '../../testing/world/locks.ts';
import { findPersonas, advanceSeconds, type Personas } from '../../testing/world/personas.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /contacts/import', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const names = async () => (await itemsOf(world, '/contacts', people.alice)).map(({ name }: { name: string }) => name);
  const card = (name: string, number: string) => `BEGIN:VCARD\nVERSION:4.0\nFN:${name}\nTEL:${number}\nEND:VCARD\n`;
  const cards = card('Dora', '(415) 555-0101') + card('Sam', '(415) 555-0102') + card('Eve', '(415) 555-0103');

  it('commits the preview as one batch, and creates nothing when repeated', slow, async () => {
    const { alice } = people;
    const known = await addContact(world, alice, { name: 'Sam', phones: [{ number: '+14155550102' }], note: 'Mine' });
    const batch = await importFile(
      world,
      alice,
      `${cards}${card('Sam', '+1 415 555 0102').replace('END', 'NOTE:Theirs\nEND')}`,
    );
    expect(batch).toMatchObject({
      source: 'vcard',
      state: 'committed',
      created: 2,
      updated: 0,
      skipped: 2,
      left_count: 0,
    });
    expect(await names()).toEqual(['Eve', 'Dora', 'Sam']);
    const [, dora, sam] = await itemsOf(world, '/contacts', alice);
    expect(dora.phones).toEqual([{ label: 'other', number: '+14155550101' }]);
    expect(sam).toEqual(known);
    expect(await itemsOf(world, '/contacts?q=5550103', alice)).toHaveLength(1);
    await world.settle();
    expect((await world.events(`user:${alice.id}`)).at(-1)).toEqual({ type: 'contact.imported', data: { batch } });
    const lines = ['Dora,(415) 555-0101', 'Sam,415 555 0102', 'Eve,+14155550103'];
    const again = await importLines(world, alice, lines);
    expect([again.created, again.updated, again.skipped]).toEqual([0, 0, 3]);
    expect(await names()).toHaveLength(3);
  });

  it('commits only the selected rows, merged with the contacts as they are at that time', slow, async () => {
    const { alice } = people;
    const { body } = await previewLines(world, alice, ['One,,1@x.org', 'Two,,2@x.org', 'Three,,3@x.org']);
    await addContact(world, alice, { name: 'Two', emails: [{ address: '2@x.org' }] });
    const invalid = await commitImport(world, alice, body.preview_id, { rows: [4] });
    expect([invalid.status, Object.keys(invalid.body.error.fields)]).toEqual([422, ['rows']]);
    const batch = (await commitImport(world, alice, body.preview_id, { rows: [2, 3] })).body;
    expect([batch.created, batch.updated, batch.skipped]).toEqual([1, 0, 1]);
    expect((await names()).slice(0, 2)).toEqual(['Three', 'Two']);
  });

  it('accepts a preview once, within an hour, from its owner', slow, async () => {
    const { alice, bob } = people;
    const preview = async () => (await previewLines(world, alice, ['Once'])).body.preview_id;
    const first = await preview();
    const foreign = await commitImport(world, bob, first);
    expect([foreign.status, Object.keys(foreign.body.error.fields)]).toEqual([422, ['preview_id']]);
    const responses = await Promise.all([commitImport(world, alice, first), commitImport(world, alice, first)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 410]);
    const late = await preview();
    await advanceSeconds(world, 3601);
    const refused = await commitImport(world, alice, late);
    expect([refused.status, refused.body.error.code]).toEqual([410, 'gone']);
    // Also after it has been deleted.
    await world.app.services.db.native.query('delete from contact_import_previews where id = $1', [late]);
    expect((await commitImport(world, alice, late)).status).toBe(410);
  });

  it('rejects an empty selection of rows and keeps the preview', slow, async () => {
    const { alice } = people;
    const { preview_id } = (await previewLines(world, alice, ['Chosen'])).body;
    const refused = await commitImport(world, alice, preview_id, { rows: [] });
    expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['rows']]);
    expect((await commitImport(world, alice, preview_id)).status).toBe(201);
  });

  it('keeps only the newest three previews of an account', async () => {
    const { alice } = people;
    const ids = [];
    for (let at = 0; at < 4; at++) ids.push((await previewLines(world, alice, [`Kept ${at}`])).body.preview_id);
    expect((await commitImport(world, alice, ids[0])).status).toBe(410);
    expect((await commitImport(world, alice, ids[1])).status).toBe(201);
  });

  it('merges with concurrent changes without losing any', async () => {
    const { carol } = people;
    const base = await addContact(world, carol, { name: 'Dora', phones: [{ number: '+14155550101' }] });
    const lines = [0, 1, 2].map((at) => `Dora,+14155550101,d${at}@x.org`);
    const previews = [];
    for (const line of lines) previews.push((await previewLines(world, carol, [line])).body.preview_id);
    const edit = (note: string) => world.call(`PATCH /contacts/${base.id}`, { token: carol.token, body: { note } });
    const answers = await Promise.all(
      previews.flatMap((id, at) => [commitImport(world, carol, id), edit(`Edit ${at}`)]),
    );
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const { body } = await world.call(`GET /contacts/${base.id}`, { token: carol.token });
    expect(body.emails.map(({ address }: { address: string }) => address).sort()).toEqual([
      'd0@x.org',
      'd1@x.org',
      'd2@x.org',
    ]);
    expect(body.note).toMatch(/^Edit/);
  });

  it('is planned outside of its transaction, also when the book changes while it is planned', async () => {
    const { bob } = people;
    const { services } = world.app;
    const { preview_id } = (await previewLines(world, bob, ['Fay,+14155550107', 'Gus,+14155550108'])).body;
    const { use } = services.decoder;
    const writing: number[] = [];
    services.decoder.use = async (account, work) => {
      const { rows } = await services.db.native.query(
        'select 1 from pg_stat_activity where datname = current_database() and backend_xid is not null',
      );
      writing.push(rows.length);
      const plan = await use(account, work);
      if (writing.length === 1) await addContact(world, bob, { name: 'Fay', phones: [{ number: '+14155550107' }] });
      return plan;
    };
    try {
      const { status, body } = await commitImport(world, bob, preview_id);
      expect([status, body.created, body.skipped]).toEqual([201, 1, 1]);
      // Planned again, since the first plan did not know the added contact.
      expect(writing).toEqual([0, 0]);
    } finally {
      services.decoder.use = use;
    }
  });

  it('gives up with a conflict when the book changes again and again', async () => {
    const { bob } = people;
    const { services } = world.app;
    const { preview_id } = (await previewLines(world, bob, ['Hal'])).body;
    const { use } = services.decoder;
    services.decoder.use = async (account, work) => {
      const plan = await use(account, work);
      await addContact(world, bob, { name: 'Another' });
      return plan;
    };
    try {
      const { status, body } = await commitImport(world, bob, preview_id);
      expect([status, body.error.code]).toEqual([409, 'conflict']);
    } finally {
      services.decoder.use = use;
    }
    expect((await commitImport(world, bob, preview_id)).status).toBe(201);
  });

  it('keeps the newest imports of an account, as many as changed a number of contacts together', slow, async () => {
    const small = await createWorld({ limits: { import_undo: 4 } });
    try {
      const { alice } = findPersonas();
      const first = await importLines(small, alice, ['One', 'Two']);
      const others = [
        await importLines(small, alice, ['Three', 'Four']),
        await importLines(small, alice, ['Five', 'Six']),
      ];
      const listed = await itemsOf(small, '/contacts/imports', alice);
      expect(listed.map(({ id }: { id: string }) => id)).toEqual(others.map(({ id }) => id).toReversed());
      expect((await rollBackImport(small, alice, first)).status).toBe(404);
      const large = await importLines(small, alice, ['A', 'B', 'C', 'D', 'E']);
      expect(await itemsOf(small, '/contacts/imports', alice)).toMatchObject([{ id: large.id }]);
      expect((await rollBackImport(small, alice, large)).status).toBe(200);
    } finally {
      await small.close();
    }
  });

  it('fills the address book up to its limit, like single contacts', slow, async () => {
    const small = await createWorld({ limits: { contacts: 3 } });
    try {
      const { alice } = findPersonas();
      await addContact(small, alice, { name: 'One' });
      const preview = async (...lines: string[]) => (await previewLines(small, alice, lines)).body.preview_id;
      const over = await commitImport(small, alice, await preview('Two', 'Three', 'Four'));
      expect([over.status, over.body.error.code]).toEqual([409, 'limit_reached']);
      expect((await commitImport(small, alice, await preview('One', 'Two', 'Three'))).status).toBe(201);
      const more = await small.call('POST /contacts', { token: alice.token, body: { name: 'Four' } });
      expect([more.status, more.body.error.code]).toEqual([409, 'limit_reached']);
      const book = await itemsOf(small, '/contacts', alice);
      expect(book).toHaveLength(3);
      await small.call(`DELETE /contacts/${book[0]?.id}`, { token: alice.token });
      const again = await Promise.all(
        ['Five', 'Six', 'Seven'].map((name) =>
          small.call('POST /contacts', { token: alice.token, body: { name } }).then(({ status }) => status),
        ),
      );
      expect(again.toSorted()).toEqual([201, 409, 409]);
    } finally {
      await small.close();
    }
  });

  it('counts contacts that were added after the first count', slow, async () => {
    const small = await createWorld({ limits: { contacts: 2 } });
    const { native } = small.app.services.db;
    const other = await native.connect();
    try {
      const { alice } = findPersonas();
      const { preview_id } = (await previewLines(small, alice, ['One', 'Two'])).body;
      await other.query('begin');
      await other.query(
        `insert into contacts (id, owner_id, name, phones, emails, im, note, favourite, created_at, updated_at)
         values ('con_${'0'.repeat(26)}', $1, 'Three', '[]', '[]', '[]', '', false, now(), now())`,
        [alice.id],
      );
      const committed = commitImport(small, alice, preview_id);
      await waitForLocks(small, 1);
      await other.query('commit');
      const { status, body } = await committed;
      expect([status, body.error.code]).toEqual([409, 'limit_reached']);
      expect(await itemsOf(small, '/contacts', alice)).toHaveLength(1);
    } finally {
      other.release();
      await small.close();
    }
  });

  it('and its rollback hold back no event of others while they run', slow, async () => {
    const { alice, bob } = people;
    const { native } = world.app.services.db;
    await native.query(`
      create function wait_for_test() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$`);
    await native.query(`
      create trigger wait_for_test before insert or update on contact_imports
      for each row execute function wait_for_test()`);
    const gate = await native.connect();
    const heard = await listen(world, bob);
    const { preview_id } = (await previewLines(world, alice, ['Dora,+14155550101'])).body;
    const steps = [
      () => commitImport(world, alice, preview_id),
      (done: { id: string }) => rollBackImport(world, alice, done),
    ];
    let done = { id: '' };
    try {
      for (const [at, step] of steps.entries()) {
        await gate.query('select pg_advisory_lock(4711)');
        const running = step(done);
        await waitForLocks(world, 1);
        await postStatus(world, bob, 'Meanwhile');
        await expect.poll(() => heard.filter(({ type }) => type === 'status.posted').length).toBe(at + 1);
        await gate.query('select pg_advisory_unlock(4711)');
        done = (await running).body;
      }
    } finally {
      gate.release(true);
    }
    await world.settle();
    const own = (await world.events(`user:${alice.id}`)).filter(({ type }) => type === 'contact.imported');
    expect(own.map(({ data }) => data.batch.state)).toEqual(['committed', 'rolled_back']);
  });
});

describe('The daily budget of address lookups', () => {
  let world: World;
  beforeAll(async () => {
    // 500 a day instead of 50,000.
    world = await createWorld({ environment: { THROTTLE_FACTOR: '0.01' } });
  });
  afterAll(() => world.close());

  it('is shared by imports and single contacts', async () => {
    const { token } = findPersonas().alice;
    const numbers = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `N${at}`, phones: [{ number: `+1415555${1000 + at}` }] }));
    const { body: preview } = await world.call('POST /contacts/import/preview', {
      token,
      body: { contacts: numbers(600) },
    });
    const refused = await world.call('POST /contacts/import', { token, body: { preview_id: preview.preview_id } });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect((await world.call('GET /contacts', { token })).body.items).toEqual([]);
  });
});
