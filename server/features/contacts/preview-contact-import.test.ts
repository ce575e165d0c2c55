import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addContact, previewFile } from '../../testing/steps/contacts.ts';
import { itemsOf } from '../../testing/steps/follows.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /contacts/import/preview', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const previewJson = (contacts: unknown) =>
    world.call('POST /contacts/import/preview', { token: people.alice.token, body: { contacts } });
  type PreviewRow = { action: string; reason?: string };
  const actionsOf = ({ rows }: { rows: PreviewRow[] }) =>
    rows.map(({ action, reason }) => [action, reason].join(' ').trim());

  it('returns the action for each row, and changes nothing', slow, async () => {
    const { alice } = people;
    const dora = await addContact(world, alice, { name: 'Dora', phones: [{ number: '+14155550199' }] });
    const sam = await addContact(world, alice, { name: 'Sam', emails: [{ address: 'sam@example.org' }] });
    const { status, body } = await previewFile(
      world,
      alice,
      [
        'Name,Phone,E-mail,Note',
        'Dora,(415) 555-0199,dora@example.org,',
        'Sam,,SAM@example.org,',
        'Eve,020 7946,eve@example.org,New',
        'Eve,,eve@example.org,',
        ',12,,',
      ].join('\n'),
    );
    expect(status).toBe(200);
    expect(actionsOf(body)).toEqual(['update', 'skip unchanged', 'create', 'skip duplicate', 'skip invalid']);
    expect(body).toMatchObject({
      preview_id: expect.stringMatching(/^imp_/),
      source: 'csv',
      counts: { create: 1, update: 1, skip: 3 },
      rows: [
        {
          row: 1,
          contact_id: dora.id,
          contact: { name: 'Dora', phones: dora.phones, emails: [{ label: 'other', address: 'dora@example.org' }] },
        },
        { row: 2, contact_id: sam.id },
        {
          row: 3,
          contact: { name: 'Eve', phones: [], note: 'New' },
          errors: { 'phones.0.number': expect.any(String) },
        },
        { row: 4 },
        { row: 5, contact: null, errors: { 'phones.0.number': expect.any(String) } },
      ],
    });
    expect(body.rows[2].contact_id).toBe(undefined);
    const left_s = (Date.parse(body.expires_at) - world.clock.now().getTime()) / 1000;
    expect([left_s > 3590, left_s <= 3600]).toEqual([true, true]);
    expect(await itemsOf(world, '/contacts', alice)).toHaveLength(2);
  });

  it('accepts JSON in the body, and names the invalid fields', slow, async () => {
    const { body } = await previewJson([
      { name: 'Json', phones: [{ label: 'home', number: '415 555 0155' }] },
      { phones: [{ number: '+14155550156' }] },
      { emails: [] },
    ]);
    expect(body.source).toBe('json');
    expect(actionsOf(body)).toEqual(['create', 'create', 'skip invalid']);
    expect(body.rows[0].contact.phones).toEqual([{ label: 'home', number: '+14155550155' }]);
    expect(body.rows[1].contact.name).toBe('+14155550156');
    const refused = await previewJson([{ name: 'ok' }, { name: 'odd', phones: [{ number: 3 }], what: 1 }]);
    expect([refused.status, Object.keys(refused.body.error.fields).sort()]).toEqual([
      422,
      ['contacts.1.phones.0.number', 'contacts.1.what'],
    ]);
  });

  it('returns errors for the values that are not imported, for files and JSON', async () => {
    const { alice } = people;
    const card =
      'BEGIN:VCARD\nVERSION:4.0\nFN:Dora\nTEL:12\nTEL:+14155550157\nURL:https://dora.example\nGEO:geo:48,11\nBDAY:soon\nORG:Acme\nEND:VCARD\n';
    const errorsOf = ({ body }: { body: { rows: { errors?: object }[] } }) =>
      Object.keys(body.rows[0]?.errors ?? {}).sort();
    expect(errorsOf(await previewFile(world, alice, card))).toEqual(['birthday', 'geo', 'phones.0.number', 'url']);
    const json = JSON.stringify([
      { name: 'Dora', phones: [{ number: '12' }, '+14155550157'], birthday: '1990-13-01', height: 180 },
    ]);
    expect(errorsOf(await previewFile(world, alice, json))).toEqual(['birthday', 'height', 'phones.0.number']);
    for (const number of ['12', 'abc', '+1', '0'])
      expect(errorsOf(await previewJson([{ name: 'Dora', phones: [{ number }] }]))).toEqual(['phones.0.number']);
    expect(errorsOf(await previewJson([{ name: 'Dora', emails: [{ address: 'nowhere' }] }]))).toEqual([
      'emails.0.address',
    ]);
  });

  it('requires a file or contacts, and a file that contains contacts', async () => {
    const { alice } = people;
    const fields = ({ status, body }: { status: number; body: { error: { fields: object } } }) => [
      status,
      Object.keys(body.error.fields),
    ];
    const nothing = await world.call('POST /contacts/import/preview', { token: alice.token, body: {} });
    expect(fields(nothing)).toEqual([422, ['contacts']]);
    expect(fields(await previewJson([]))).toEqual([422, ['contacts']]);
    expect(fields(await previewFile(world, alice, 'price\n1'))).toEqual([422, ['file']]);
  });

  it('returns the errors of rows in the language of the request', async () => {
    const { token } = people.alice;
    const card = (...lines: string[]) =>
      ['BEGIN:VCARD', 'VERSION:4.0', 'FN:Ann', ...lines, 'END:VCARD'].join('\r\n') + '\r\n';
    const many = Array.from({ length: 60 }, (_, at) => `EMAIL:ann${at}@example.org`);
    const text = [
      card('TEL:nobody', 'EMAIL:nowhere', 'GEO:geo:1,2', 'BDAY:tomorrow', `NOTE:${'x'.repeat(6000)}`),
      card(...many),
      card().replace('4.0', '2.1'),
    ].join('');
    const rowsIn = async (language: string) => {
      const { headers, ...body } = multipart(Buffer.from(text), 'contacts', 'application/octet-stream');
      const answer = await world.call('POST /contacts/import/preview', {
        token,
        ...body,
        headers: { ...headers, 'accept-language': language },
      });
      expect(answer.status).toBe(200);
      return answer.body.rows as { errors: Record<string, string> }[];
    };
    const english = await rowsIn('en');
    expect((await rowsIn('de')).map(({ errors }) => errors)).toEqual([
      {
        'phones.0.number':
          'Das ist keine gültige Telefonnummer. Schreib sie, wie du sie wählst, oder wie +14155550123.',
        'emails.0.address': 'Das ist keine gültige E-Mail-Adresse.',
        birthday: 'Das ist kein gültiges Datum.',
        note: 'War zu lang und wurde gekürzt.',
        geo: 'Wird nicht übernommen.',
      },
      { emails: expect.stringMatching(/^Das sind mehr als \d+; die übrigen wurden weggelassen\.$/) },
      { version: 'Diese Version wird nicht unterstützt: Nutze 3.0 oder 4.0.' },
    ]);
    for (const language of ['es', 'fr', 'ar'])
      for (const [at, { errors }] of (await rowsIn(language)).entries())
        for (const [path, message] of Object.entries(errors)) {
          const english_message = english[at]?.errors[path];
          expect([language, path, english_message === undefined || message === english_message]).toEqual([
            language,
            path,
            false,
          ]);
        }
  });
});
