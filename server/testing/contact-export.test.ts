/** What the client writes of an address book is read back by the service's import as it was. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeTable, writeVcards, type Kept } from '../../web/src/features/contacts/contact-file.ts';
import { acceptRow, parseContactFile } from '../domain/contacts/contact-files.ts';

/** Words of a person, with what could break a line, a cell or a property; blanks at the ends are not kept by anybody. */
const words = (maxLength: number) =>
  fc
    .array(fc.constantFrom('a', 'Ö', '家', '🎷', ' ', ',', ';', ':', '"', '\\', "'", '=', '+'), {
      minLength: 1,
      maxLength,
    })
    .map((letters) => letters.join('').replaceAll(/ +/g, ' ').trim())
    .filter((text) => /[\p{L}]/u.test(text));
const label = fc.constantFrom('other', 'mobile', 'work', 'boat house', 'summer, south');
const contacts: fc.Arbitrary<Kept[]> = fc.array(
  fc.record({
    name: words(40),
    phones: fc.uniqueArray(
      fc.record({ label, number: fc.integer({ min: 200, max: 999 }).map((end) => `+1415555${1000 + end}`) }),
      { maxLength: 4, selector: ({ number }) => number },
    ),
    emails: fc.uniqueArray(
      fc.record({ label, address: fc.integer({ min: 1, max: 999 }).map((at) => `p${at}@example.org`) }),
      { maxLength: 3, selector: ({ address }) => address },
    ),
    im: fc.constantFrom(
      [],
      [{ network: 'matrix', handle: '@may:example.org' }],
      [{ network: 'telegram', handle: 'may' }],
    ),
    tag_name: fc.constantFrom(null, 'evenings'),
    note: fc.oneof(
      fc.constant(''),
      fc.tuple(words(90), words(90)).map((lines) => lines.join('\n')),
    ),
    favourite: fc.boolean(),
    organization: fc.oneof(fc.constant(''), words(40)),
    job_title: fc.constantFrom('', 'Bass, guitar; songs'),
    birthday: fc.constantFrom(null, '--02-29', '1990-12-31'),
    addresses: fc.uniqueArray(
      fc.record({
        label,
        street: words(40),
        locality: fc.constantFrom('', 'Öhringen'),
        region: fc.constantFrom('', 'Bavaria; south'),
        postal_code: fc.constantFrom('', '80331'),
        country: fc.constantFrom('', 'Germany'),
      }),
      { maxLength: 2, selector: ({ street }) => street.toLowerCase() },
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

async function readBack(text: string): Promise<unknown[]> {
  const { rows } = await parseContactFile(new TextEncoder().encode(text));
  return rows.map((row, at) => {
    const { draft, errors } = acceptRow(row, at, 'US');
    expect(errors).toEqual({});
    const { details, ...plain } = draft!;
    const { photo: _photo, ...others } = details;
    return { ...plain, ...others };
  });
}

describe('an exported address book', () => {
  it.each([
    ['vCard', writeVcards],
    ['CSV', writeTable],
  ] as const)('%s is imported as it was', async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(contacts, async (given) => {
        expect(await readBack(write(given))).toEqual(given);
      }),
      { numRuns: 300 },
    );
  });

  it('breaks lines before they are too long, and between characters', () => {
    const text = writeVcards([
      {
        name: '家'.repeat(60),
        phones: [],
        emails: [],
        im: [],
        tag_name: null,
        note: '',
        favourite: false,
        organization: '',
        job_title: '',
        birthday: null,
        addresses: [],
      },
    ]);
    const lines = text.split('\r\n');
    expect(lines.every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true);
    expect(text.replaceAll('\r\n ', '')).toContain(`FN:${'家'.repeat(60)}`);
  });
});
