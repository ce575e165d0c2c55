import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, setReach } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, register, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /contacts', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const { alice, bob } = people;
    await setReach(world, bob, { find: 'everyone' });
    await addContact(world, alice, { name: 'Bob', phones: [{ number: bob.mobile_number }] });
    await addContact(world, alice, { name: 'Åsa Öst', emails: [{ address: 'asa@example.net' }], favourite: true });
    await addContact(world, alice, { name: 'Per%cent', tag_name: 'jazz', phones: [{ number: '+442079460000' }] });
    await addContact(world, bob, { name: 'His' });
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const names = async (query = '', who = people.alice) =>
    (await itemsOf(world, `/contacts${query}`, who)).map(({ name }: { name: string }) => name);

  it('lists the contacts of the caller, newest first, with the matched accounts', async () => {
    const { alice } = people;
    expect(await names()).toEqual(['Per%cent', 'Åsa Öst', 'Bob']);
    const items = await itemsOf(world, '/contacts', alice);
    expect(items.map(({ user }: { user: { username: string } | null }) => user?.username)).toEqual([
      undefined,
      undefined,
      'bob',
    ]);
    expect(await names(`?before_id=${items[0].id}&limit=1`)).toEqual(['Åsa Öst']);
  });

  it('has a budget of searches, each of which reads all contacts', async () => {
    const seeker = await register(world, 'seeker', 20);
    await world.app.services.throttle.consume('contact_search', seeker.id, 120);
    expect((await world.call('GET /contacts?q=x', { token: seeker.token })).body.error.code).toBe('rate_limited');
    expect((await world.call('GET /contacts', { token: seeker.token })).status).toBe(200);
  });

  it('searches name, e-mail, tag and number, in any notation', async () => {
    const found = (q: string) => names(`?q=${encodeURIComponent(q)}`);
    expect(await found('öst')).toEqual(['Åsa Öst']);
    expect(await found(' BOB')).toEqual(['Bob']);
    expect(await found('asa@EXAMPLE')).toEqual(['Åsa Öst']);
    expect(await found('*jazz')).toEqual(['Per%cent']);
    expect(await found('%')).toEqual(['Per%cent']);
    expect(await found('020 7946')).toEqual(['Per%cent']);
    expect(await found('(415) 555-0002')).toEqual(['Bob']);
    expect(await found('5550002')).toEqual(['Bob']);
    expect(await found('nobody')).toEqual([]);
    expect(await found('His')).toEqual([]);
  });

  it('sorts by name, ignoring accents, and paginates', async () => {
    for (const name of ['ásra', 'Zoë', 'asb', 'Bob']) await addContact(world, people.carol, { name });
    const sorted = ['asb', 'ásra', 'Bob', 'Zoë'];
    expect(await names('?sort=name', people.carol)).toEqual(sorted);
    const paged: string[] = [];
    for (let before_id = ''; ;) {
      const [contact] = await itemsOf(world, `/contacts?sort=name&limit=1${before_id}`, people.carol);
      if (!contact) break;
      paged.push(contact.name);
      before_id = `&before_id=${contact.id}`;
    }
    expect(paged).toEqual(sorted);
    for (const order of ['sort=name', 'sort=newest&q=s']) {
      const whole = await names(`?${order}`, people.carol);
      for (let offset = 1; offset <= whole.length; offset++)
        expect(await names(`?${order}&limit=2&offset=${offset}`, people.carol)).toEqual(
          whole.slice(offset, offset + 2),
        );
    }
    const [of_alice] = await itemsOf(world, '/contacts', people.alice);
    expect(await names(`?sort=name&before_id=${of_alice.id}`, people.carol)).toEqual([]);
  });

  it('filters by favourite', async () => {
    expect(await names('?favourite=true')).toEqual(['Åsa Öst']);
    expect(await names('?favourite=false')).toEqual(['Per%cent', 'Bob']);
    expect(await names('?favourite=true&q=bob')).toEqual([]);
  });

  it('rejects a query with a null character', async () => {
    const { status, body } = await world.call('GET /contacts?q=a%00b', { token: people.alice.token });
    expect([status, Object.keys(body.error.fields ?? {})]).toEqual([422, ['q']]);
  });
});
