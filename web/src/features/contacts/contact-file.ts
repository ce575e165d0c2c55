/** The address book as a file: vCards that phones take (RFC 2426), and a table with the headings of Google Contacts. */
import type { Contact } from './contact-queries.ts';

export type Kept = Pick<Contact, 'name' | 'phones' | 'emails' | 'im' | 'tag_name' | 'note' | 'favourite'>;

const LINE_OCTETS = 75;
const BREAK = '\r\n';

/** A text as the value of a property (RFC 2426, section 2.3). */
const escapeText = (text: string) =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n?|\n/g, String.raw`\n`);

/** A parameter's value, in quotes, which it cannot hold itself. */
const quote = (value: string) => `"${value.replaceAll(/["\r\n]/g, '')}"`;

/** A line broken before it has more than 75 octets, between characters (RFC 2426, section 2.6). */
function fold(line: string): string {
  const encoder = new TextEncoder();
  const lines: string[] = [];
  let [part, octets] = ['', 0];
  for (const character of line) {
    const more = encoder.encode(character).length;
    if (octets + more > LINE_OCTETS) {
      lines.push(part);
      [part, octets] = [' ', 1];
    }
    part += character;
    octets += more;
  }
  return [...lines, part].join(BREAK);
}

function writeCard({ name, phones, emails, im, tag_name, note, favourite }: Kept): string {
  let items = 0;
  // A label that is no word of the standard stands beside its value, as Apple writes it.
  const labelled = (property: string, value: string, label: string) => {
    if (label === '') return [`${property}:${escapeText(value)}`];
    items += 1;
    return [
      `item${items}.${property}:${escapeText(value)}`,
      `item${items}.X-ABLabel:${label.replaceAll(/[\r\n]+/g, ' ')}`,
    ];
  };
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escapeText(name)}`,
    `N:;${escapeText(name)};;;`,
    ...phones.flatMap(({ number, label }) => labelled('TEL', number, label)),
    ...emails.flatMap(({ address, label }) => labelled('EMAIL', address, label)),
    ...im.map(({ network, handle }) => `IMPP;X-SERVICE-TYPE=${quote(network)}:${network}:${escapeText(handle)}`),
    ...(tag_name === null ? [] : [`X-ASTERISM-TAG:${tag_name}`]),
    ...(note === '' ? [] : [`NOTE:${escapeText(note)}`]),
    ...(favourite ? ['CATEGORIES:starred'] : []),
    'END:VCARD',
  ];
  return lines.map(fold).join(BREAK) + BREAK;
}

/** Contacts as vCards, one after the other. */
export function writeVcards(contacts: readonly Kept[]): string {
  return contacts.map(writeCard).join('');
}

/** A cell as RFC 4180 has it. */
const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Contacts as a table with one row each; there are as many columns as the fullest of them needs. */
export function writeTable(contacts: readonly Kept[]): string {
  const most = (of: (contact: Kept) => readonly unknown[]) => Math.max(0, ...contacts.map((one) => of(one).length));
  const columns = <T>(name: string, second: string, of: (contact: Kept) => readonly T[], read: (one: T) => string[]) =>
    Array.from({ length: most(of) }, (_, at) => ({
      headings: [`${name} ${at + 1} - ${second}`, `${name} ${at + 1} - Value`],
      cells: (contact: Kept) => {
        const one = of(contact)[at];
        return one === undefined ? ['', ''] : read(one);
      },
    }));
  const parts = [
    { headings: ['Name'], cells: ({ name }: Kept) => [name] },
    ...columns(
      'Phone',
      'Label',
      ({ phones }) => phones,
      ({ label, number }) => [label, number],
    ),
    ...columns(
      'E-mail',
      'Label',
      ({ emails }) => emails,
      ({ label, address }) => [label, address],
    ),
    ...columns(
      'IM',
      'Service',
      ({ im }) => im,
      ({ network, handle }) => [network, handle],
    ),
    { headings: ['Tag'], cells: ({ tag_name }: Kept) => [tag_name ?? ''] },
    { headings: ['Notes'], cells: ({ note }: Kept) => [note] },
    { headings: ['Favourite'], cells: ({ favourite }: Kept) => [favourite ? 'yes' : ''] },
  ];
  const rows = [parts.flatMap(({ headings }) => headings)];
  for (const contact of contacts) rows.push(parts.flatMap(({ cells }) => cells(contact)));
  return rows.map((row) => row.map(cell).join(',') + BREAK).join('');
}
