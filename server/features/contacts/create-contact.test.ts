import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../testing/steps/contacts.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('POST /contacts', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  it('rejects a name with bidirectional control characters', async () => {
    const body = { name: 'Ada \u202egpj.exe' };
    const answer = await world.call('POST /contacts', { token: people.alice.token, body });
    expect([answer.status, Object.keys(answer.body.error.fields)]).toEqual([422, ['name']]);
  });

  it('stores numbers in E.164 by the region of the own number, without duplicates', async () => {
    const { alice } = people;
    const contact = await addContact(world, alice, {
      name: '  Dora Example ',
      phones: [
        { label: 'mobile', number: '(415) 555-0199' },
        { label: 'abroad', number: '011 44 20 7946 0000' },
        { label: 'again', number: '+1 415 555 0199' },
        { number: '+44 20 7946 0000' },
      ],
      emails: [{ label: 'home', address: 'Dora@Example.org' }, { address: 'dora@example.org' }],
      tag_name: 'Dora-Draws',
      im: [{ network: 'Matrix', handle: '@dora:example.org' }],
      note: 'Met at the fair',
      favourite: true,
    });
    expect(contact).toMatchObject({
      id: expect.stringMatching(/^con_/),
      name: 'Dora Example',
      phones: [
        { label: 'mobile', number: '+14155550199' },
        { label: 'abroad', number: '+442079460000' },
      ],
      emails: [{ label: 'home', address: 'dora@example.org' }],
      tag_name: 'dora-draws',
      im: [{ network: 'matrix', handle: '@dora:example.org' }],
      note: 'Met at the fair',
      favourite: true,
      user: null,
    });
    expect(contact.updated_at).toBe(contact.created_at);
    expect(await world.events(`user:${alice.id}`)).toContainEqual({ type: 'contact.updated', data: { contact } });
  });

  it('requires only a name', async () => {
    expect(await addContact(world, people.alice, { name: 'Eve' })).toMatchObject({
      phones: [],
      emails: [],
      tag_name: null,
      im: [],
      note: '',
      favourite: false,
    });
  });

  it('stores organization, address and birthday', async () => {
    const address = { label: 'home', street: 'Elm Street 1', locality: 'Springfield', country: 'USA' };
    const details = { organization: ' The Band ', job_title: 'Bass', birthday: '--02-29', addresses: [address] };
    const contact = await addContact(world, people.alice, { name: 'Fay', ...details });
    const stored = { ...address, region: '', postal_code: '' };
    expect(contact).toMatchObject({ ...details, organization: 'The Band', addresses: [stored] });
    const edit = (body: object) => world.call(`PATCH /contacts/${contact.id}`, { token: people.alice.token, body });
    expect((await edit({ birthday: '1990-02-28' })).body).toMatchObject({
      birthday: '1990-02-28',
      addresses: [stored],
    });
    expect((await edit({ birthday: null, organization: '' })).body).toMatchObject({ birthday: null, organization: '' });
    const fields = async (body: object) => Object.keys((await edit(body)).body.error.fields);
    expect(await fields({ birthday: '1990-02-29' })).toEqual(['birthday']);
    expect(await fields({ birthday: '--13-01', addresses: [address, { label: 'none' }] })).toEqual([
      'birthday',
      'addresses.1',
    ]);
  });

  it('rejects invalid fields with their paths', async () => {
    const fields = async (body: object) => {
      const answer = await world.call('POST /contacts', { token: people.alice.token, body });
      return [answer.status, ...Object.keys(answer.body.error?.fields ?? {})];
    };
    expect(await fields({})).toEqual([422, 'name']);
    expect(await fields({ name: ' ' })).toEqual([422, 'name']);
    expect(await fields({ name: 'x', phones: [{ number: '+14155550100' }, { number: 'call me' }] })).toEqual([
      422,
      'phones.1.number',
    ]);
    expect(await fields({ name: 'x', emails: [{ address: 'nobody' }] })).toEqual([422, 'emails.0.address']);
    expect(await fields({ name: 'x', tag_name: '*sigil' })).toEqual([422, 'tag_name']);
    expect(await fields({ name: 'x', user: null })).toEqual([422, 'user']);
  });

  it('enforces the limit of contacts, also for concurrent requests', async () => {
    const small = await createWorld({ limits: { contacts: 2 } });
    try {
      const add = () => small.call('POST /contacts', { token: people.bob.token, body: { name: 'x' } });
      const answers = await Promise.all(Array.from({ length: 6 }, add));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
      const again = { token: people.bob.token, headers: { 'idempotency-key': 'one too many' } };
      const numbered = { name: 'y', phones: [{ number: '+14155550100' }] };
      const refusals = [
        await small.call('POST /contacts', { ...again, body: { name: 'y' } }),
        await small.call('POST /contacts', { ...again, body: { name: 'y' } }),
        await small.call('POST /contacts', { token: people.bob.token, body: numbered }),
      ];
      for (const { status, body } of refusals) expect([status, body.error.code]).toEqual([409, 'limit_reached']);
      const events = (await small.events(`user:${people.bob.id}`)).filter(({ type }) => type === 'contact.updated');
      expect(events).toHaveLength(2);
    } finally {
      await small.close();
    }
  });
});
