/** What the client exports of an address book is imported by the service unchanged. */
import fc from 'fast-check';
import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { writeTable, writeVcards, type ExportedContact } from './contact-file.ts';
import { acceptRow, parseContactFile } from '../../../../server/domain/contacts/contact-files.ts';
import { slow } from '../../../../testing/slow-tests.ts';

/** Texts with characters that could break a line, a cell or a property; importers strip blanks at the ends. */
const texts = (maxLength: number) =>
  fc
    .array(fc.constantFrom('a', 'Ö', '家', '🎷', ' ', ',', ';', ':', '"', '\\', "'", '=', '+'), {
      minLength: 1,
      maxLength,
    })
    .map((letters) => letters.join('').replaceAll(/ +/g, ' ').trim())
    .filter((text) => /[\p{L}]/u.test(text));
const label = fc.constantFrom('other', 'mobile', 'work', 'boat house', 'summer, south');
const contacts: fc.Arbitrary<ExportedContact[]> = fc.array(
  fc.record({
    name: texts(40),
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
      fc.tuple(texts(90), texts(90)).map((lines) => lines.join('\n')),
    ),
    favourite: fc.boolean(),
    organization: fc.oneof(fc.constant(''), texts(40)),
    job_title: fc.constantFrom('', 'Bass, guitar; songs'),
    birthday: fc.constantFrom(null, '--02-29', '1990-12-31'),
    addresses: fc.uniqueArray(
      fc.record({
        label,
        street: texts(40),
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

const no_details: ExportedContact = {
  name: '',
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
};

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
  ] as const)('as %s is imported unchanged', slow, async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(contacts, async (given) => {
        expect(await readBack(write(given))).toEqual(given);
      }),
      { numRuns: 300 },
    );
  });

  it('has no cell that a spreadsheet evaluates, since others choose the names of accepted invites', async () => {
    const names = [
      '=HYPERLINK("https://evil.example","Ann")',
      '+1+cmd|A',
      '-2+3|x',
      '@SUM(A1)',
      "'=1+1|",
      '\t=1|',
      'Ann = Bob',
    ];
    const given = names.map((name) => ({ ...no_details, name, phones: [{ label: 'home', number: '+14155551234' }] }));
    const text = writeTable(given);
    const cells = parseCsv(text, { relax_column_count: true }).flat();
    const evaluated = cells.filter((value) => /^[=+\-@\t\r]/.test(value) && !/^\+\d+$/.test(value));
    expect(evaluated).toEqual([]);
    expect(cells.filter((value) => value === '+14155551234')).toHaveLength(names.length);
    const read = (await readBack(text)) as { name: string }[];
    expect(read.map(({ name }) => name)).toEqual(names.map((name) => name.trim()));
  });

  it('folds lines that are too long, between characters', () => {
    const text = writeVcards([{ ...no_details, name: '家'.repeat(60) }]);
    const lines = text.split('\r\n');
    expect(lines.every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true);
    expect(text.replaceAll('\r\n ', '')).toContain(`FN:${'家'.repeat(60)}`);
  });
});
