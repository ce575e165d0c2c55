/** The address book as a file: vCards for phones (RFC 2426), or a table with the headings of Google Contacts. */
import type { Contact } from '../../data/queries/contact-queries.ts';

/** `photo` is a JPEG in Base64. */
export type ExportedContact = Omit<Contact, 'id' | 'user' | 'photo_url' | 'created_at' | 'updated_at'> & {
  photo?: string;
};

const LINE_OCTETS = 75;
const BREAK = '\r\n';

/** Escapes a text as the value of a property (RFC 2426, section 2.3). */
const escapeText = (text: string) =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n?|\n/g, String.raw`\n`);

/** A quoted parameter value; quotation marks within it are removed, since they cannot be escaped. */
const quote = (value: string) => `"${value.replaceAll(/["\r\n]/g, '')}"`;

/** Folds a line to 75 octets at most, between characters (RFC 2426, section 2.6). */
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

/** Without a year in Apple's format, since RFC 2426 has none for that. */
const writeBirthday = (birthday: string) =>
  birthday.startsWith('--') ? `BDAY;X-APPLE-OMIT-YEAR=1604:1604${birthday.slice(1)}` : `BDAY:${birthday}`;

/** Box, extension, street, locality, region, code and country (RFC 2426, section 3.2.1). */
const writeAddress = ({ street, locality, region, postal_code, country }: ExportedContact['addresses'][number]) =>
  // A space after a trailing backslash: many parsers would read it as escaping the following semicolon.
  ['', '', street, locality, region, postal_code, country]
    .map((part) => escapeText(part.replace(/\\$/, '\\ ')))
    .join(';');

function writeCard(contact: ExportedContact): string {
  const { name, phones, emails, im, tag_name, note, favourite, organization, job_title, birthday } = contact;
  let items = 0;
  // A label that the standard does not define is in a separate property, as Apple does it.
  const labelled = (property: string, value: string, label: string) => {
    if (label === '') return [`${property}:${value}`];
    items += 1;
    return [`item${items}.${property}:${value}`, `item${items}.X-ABLabel:${label.replaceAll(/[\r\n]+/g, ' ')}`];
  };
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escapeText(name)}`,
    `N:;${escapeText(name)};;;`,
    ...phones.flatMap(({ number, label }) => labelled('TEL', escapeText(number), label)),
    ...emails.flatMap(({ address, label }) => labelled('EMAIL', escapeText(address), label)),
    ...im.map(({ network, handle }) => `IMPP;X-SERVICE-TYPE=${quote(network)}:${network}:${escapeText(handle)}`),
    ...(tag_name === null ? [] : [`X-ASTERISM-TAG:${tag_name}`]),
    ...(organization === '' ? [] : [`ORG:${escapeText(organization)}`]),
    ...(job_title === '' ? [] : [`TITLE:${escapeText(job_title)}`]),
    ...(birthday === null ? [] : [writeBirthday(birthday)]),
    ...contact.addresses.flatMap((one) => labelled('ADR', writeAddress(one), one.label)),
    ...(note === '' ? [] : [`NOTE:${escapeText(note)}`]),
    ...(contact.photo === undefined ? [] : [`PHOTO;ENCODING=b;TYPE=JPEG:${contact.photo}`]),
    ...(favourite ? ['CATEGORIES:starred'] : []),
    'END:VCARD',
  ];
  return lines.map(fold).join(BREAK) + BREAK;
}

/** Contacts as consecutive vCards. */
export function writeVcards(contacts: readonly ExportedContact[]): string {
  return contacts.map(writeCard).join('');
}

/** Values that spreadsheets would evaluate, and those that look like an escaped one; phone numbers stay as they are. */
const FORMULA = /^(?:'+[=+\-@\t\r]|[=+\-@\t\r](?![\d ()./-]*$))/;

/** A cell by RFC 4180. A formula, which could be in a name that somebody else has chosen, gets an apostrophe: it is a text then. */
function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const PLACE_PARTS = ['Label', 'Street', 'City', 'Region', 'Postal Code', 'Country'] as const;

/** Contacts as a table with one row each; it has as many columns as the contact with the most values needs. */
export function writeTable(contacts: readonly ExportedContact[]): string {
  const most = (of: (contact: ExportedContact) => readonly unknown[]) =>
    Math.max(0, ...contacts.map((one) => of(one).length));
  const columns = <T>(
    name: string,
    second: string,
    of: (contact: ExportedContact) => readonly T[],
    read: (one: T) => string[],
  ) =>
    Array.from({ length: most(of) }, (_, at) => ({
      headings: [`${name} ${at + 1} - ${second}`, `${name} ${at + 1} - Value`],
      cells: (contact: ExportedContact) => {
        const one = of(contact)[at];
        return one === undefined ? ['', ''] : read(one);
      },
    }));
  const parts = [
    { headings: ['Name'], cells: ({ name }: ExportedContact) => [name] },
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
    { headings: ['Tag'], cells: ({ tag_name }: ExportedContact) => [tag_name ?? ''] },
    { headings: ['Organization Name'], cells: ({ organization }: ExportedContact) => [organization] },
    { headings: ['Organization Title'], cells: ({ job_title }: ExportedContact) => [job_title] },
    { headings: ['Birthday'], cells: ({ birthday }: ExportedContact) => [birthday ?? ''] },
    ...Array.from({ length: most(({ addresses }) => addresses) }, (_, at) => ({
      headings: PLACE_PARTS.map((part) => `Address ${at + 1} - ${part}`),
      cells: ({ addresses }: ExportedContact) => {
        const one = addresses[at];
        if (one === undefined) return PLACE_PARTS.map(() => '');
        return [one.label, one.street, one.locality, one.region, one.postal_code, one.country];
      },
    })),
    { headings: ['Notes'], cells: ({ note }: ExportedContact) => [note] },
    { headings: ['Favourite'], cells: ({ favourite }: ExportedContact) => [favourite ? 'yes' : ''] },
  ];
  const rows = [parts.flatMap(({ headings }) => headings)];
  for (const contact of contacts) rows.push(parts.flatMap(({ cells }) => cells(contact)));
  return rows.map((row) => row.map(cell).join(',') + BREAK).join('');
}
