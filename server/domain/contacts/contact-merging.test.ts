import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blank_address } from './contact-details.ts';
import { completeDraft, emptyFoundContact } from './contact-drafts.ts';
import { acceptFound, planImport, type BookEntry } from './contact-merging.ts';
import type { ContactDraft } from './contacts.ts';
import { slow } from '../../../testing/slow-tests.ts';

const phones = (...numbers: string[]) => numbers.map((number) => ({ label: 'other', number }));
const draft = (name: string, more: Partial<ContactDraft> = {}) => completeDraft({ name, ...more });
const book = (...drafts: ContactDraft[]): BookEntry[] => drafts.map((item, at) => ({ id: `con_${at}`, draft: item }));
const rowsOf = (...drafts: ContactDraft[]) => drafts.map((item, at) => ({ row: at + 1, draft: item }));
const actions = async (known: BookEntry[], ...drafts: ContactDraft[]) =>
  (await planImport(known, rowsOf(...drafts))).map(({ action, reason, entry }) =>
    [action, reason ?? entry.id ?? 'new'].join(' '),
  );

describe('acceptFound', () => {
  it('accepts valid fields and reports invalid ones', () => {
    const { draft: accepted, errors } = acceptFound(
      {
        name: ' Dora\n Example\0 ',
        phones: [
          { label: '', number: '(415) 555-0199' },
          { label: 'x', number: 'call me' },
          { label: 'y', number: ' ' },
        ],
        emails: [
          { label: 'Home', address: 'Dora@Example.org ' },
          { label: '', address: 'nobody' },
        ],
        im: [{ network: 'Google Talk', handle: ' dora ' }],
        tag_name: '*Dora',
        note: 'a\r\nb',
        favourite: true,
        photo: '',
        details: {
          organization: ' The Band\n',
          job_title: 'Bass',
          birthday: '19900230',
          addresses: [{ ...blank_address, street: ' Elm Street  1 ' }, blank_address],
        },
      },
      'US',
    );
    expect(accepted).toEqual({
      name: 'Dora Example',
      phones: [{ label: 'other', number: '+14155550199' }],
      emails: [{ label: 'Home', address: 'dora@example.org' }],
      im: [{ network: 'google-talk', handle: 'dora' }],
      tag_name: 'dora',
      note: 'a\nb',
      favourite: true,
      details: {
        organization: 'The Band',
        job_title: 'Bass',
        birthday: null,
        addresses: [{ ...blank_address, label: 'other', street: 'Elm Street 1' }],
        photo: null,
      },
    });
    expect(Object.keys(errors)).toEqual(['phones.1.number', 'emails.1.address', 'birthday']);
  });

  it('names a contact without a name by its number, and drops one without name and address', () => {
    const nameless = acceptFound(
      { ...emptyFoundContact(), phones: [{ label: '', number: '+14155550199' }] },
      undefined,
    );
    expect(nameless.draft?.name).toBe('+14155550199');
    const unnamed = acceptFound(
      { ...emptyFoundContact(), phones: [{ label: '', number: '12' }], note: 'x' },
      undefined,
    );
    expect([unnamed.draft, Object.keys(unnamed.errors)]).toEqual([undefined, ['phones.0.number']]);
  });

  it('truncates long values and drops excess entries', () => {
    const many = Array.from({ length: 25 }, (_, at) => ({ label: 'l'.repeat(50), number: `+141555501${at + 10}` }));
    const { draft: accepted, errors } = acceptFound(
      { ...emptyFoundContact(), name: `${'n'.repeat(199)}😀`, note: 'x'.repeat(6000), phones: many },
      undefined,
    );
    expect([accepted?.name.isWellFormed(), accepted?.note.length, accepted?.phones.length]).toEqual([true, 5000, 20]);
    expect(accepted?.phones[0]?.label).toHaveLength(40);
    expect(Object.keys(errors).sort()).toEqual(['note', 'phones']);
  });
});

describe('planImport', () => {
  it('creates, updates and skips contacts', async () => {
    const known = book(draft('Dora', { phones: phones('+1') }), draft('Eve', { phones: phones('+2'), note: 'Mine' }));
    const decisions = await planImport(
      known,
      rowsOf(
        draft('Dora', { phones: phones('+1', '+3'), note: 'New' }),
        draft('Eve', { phones: phones('+2'), note: 'Theirs' }),
        draft('Sam', { phones: phones('+4') }),
        draft('Sam', { phones: phones('+4', '+5') }),
      ),
    );
    expect(decisions.map(({ action, reason }) => [action, reason])).toEqual([
      ['update', undefined],
      ['skip', 'unchanged'],
      ['create', undefined],
      ['skip', 'duplicate'],
    ]);
    expect(decisions[0]?.entry.draft).toEqual(draft('Dora', { phones: phones('+1', '+3'), note: 'New' }));
    expect(decisions[2]?.entry.draft.phones).toEqual(phones('+4', '+5'));
  });

  it('matches a contact under another name by all of its numbers, not by a shared one', async () => {
    const known = book(draft('Mum', { phones: phones('+1', '+2') }));
    expect(await actions(known, draft('Mother', { phones: phones('+1') }))).toEqual(['skip unchanged']);
    expect(await actions(known, draft('Dad', { phones: phones('+1', '+3') }))).toEqual(['create new']);
    expect(await actions(known, draft('Mum', { phones: phones('+1', '+3') }))).toEqual(['update con_0']);
    expect(await actions([], draft('Mum', { phones: phones('+1') }), draft('Dad', { phones: phones('+1') }))).toEqual([
      'create new',
      'create new',
    ]);
  });

  it('matches contacts without addresses by name', async () => {
    const known = book(draft('Aunt May', { note: 'x' }));
    expect(await actions(known, draft('aunt  may'), draft('Uncle Ben'), draft('Uncle Ben'))).toEqual([
      'skip unchanged',
      'create new',
      'skip duplicate',
    ]);
  });

  it('skips all rows that it has imported before, for any address book and rows', slow, async () => {
    const few = <T>(...values: T[]) => fc.constantFrom(...values);
    const anyDraft = fc.record(
      {
        name: few('Ann', 'Bob', 'ann', 'Cat'),
        phones: fc.uniqueArray(few('+1', '+2', '+3', '+4'), { maxLength: 3 }).map((numbers) => phones(...numbers)),
        emails: fc
          .uniqueArray(few('a@x.org', 'b@x.org'), { maxLength: 2 })
          .map((all) => all.map((address) => ({ label: '', address }))),
        tag_name: few(null, 'jazz', 'blues'),
        im: fc.constant<ContactDraft['im']>([]),
        note: few('', 'n', 'm'),
        favourite: fc.boolean(),
        details: fc.record(
          {
            organization: few('', 'Acme', 'Band'),
            job_title: few('', 'Bass'),
            birthday: fc.constantFrom(null, '--02-29', '1990-01-02'),
            addresses: fc.uniqueArray(
              fc.constantFrom('Elm Street 1', 'Oak Street 2').map((street) => ({ ...blank_address, street })),
              { maxLength: 2, selector: ({ street }) => street },
            ),
            photo: few(null, 'one.webp', 'two.webp'),
          },
          { noNullPrototype: true },
        ),
      },
      { noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyDraft, { maxLength: 4 }),
        fc.array(anyDraft, { maxLength: 8 }),
        async (known, found) => {
          const before = book(...known);
          const decisions = await planImport(before, rowsOf(...found));
          const created = decisions.flatMap(({ action, entry }) => (action === 'create' ? [entry.draft] : []));
          const again = await planImport(book(...before.map((item) => item.draft), ...created), rowsOf(...found));
          expect(again.map(({ action, reason }) => [action, reason])).toEqual(found.map(() => ['skip', 'unchanged']));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('compares few of a thousand contacts that share a number', async () => {
    let reads = 0;
    const counted = (item: ContactDraft): ContactDraft =>
      Object.defineProperty({ ...item }, 'phones', { enumerable: true, get: () => (reads++, item.phones) });
    const office = Array.from({ length: 1000 }, (_, at) => draft(`No ${at}`, { phones: phones('+1', `+2${at}`) }));
    const decisions = await planImport(book(...office.map(counted)), rowsOf(...office));
    expect(decisions.every(({ reason }) => reason === 'unchanged')).toBe(true);
    expect(reads / office.length).toBeLessThan(100);
  });
});
