/** Contacts in tables: the column headings of Google Contacts (both formats) and Outlook, and simple ones. */
import { blank_address, type address_parts, type PostalAddress } from './contact-details.ts';
import { emptyFoundContact, type FoundContact } from './contact-drafts.ts';

type AddressPart = (typeof address_parts)[number];

type PlainField =
  | 'name'
  | 'nickname'
  | 'company'
  | 'job_title'
  | 'birthday'
  | 'note'
  | 'tag_name'
  | 'favourite'
  | 'groups';

/** The meaning of a column, by its heading: a field, and an index where there are several of a kind. */
type Column =
  | { field: PlainField }
  | { field: 'place'; key: string; part: AddressPart | 'label' | 'more' }
  | { field: 'part'; place: number }
  | { field: 'number' | 'address' | 'handle'; key: string; label: string }
  | { field: 'number_label' | 'address_label' | 'network'; key: string };

type Rule = [pattern: RegExp, read: (match: RegExpExecArray) => Column];

const named = (field: PlainField) => () => ({
  field,
});
const part = (place: number) => (): Column => ({ field: 'part', place });
const many =
  (field: 'number' | 'address' | 'handle', label = '') =>
  ([all, at = '']: string[]): Column => ({
    field,
    key: `${field} ${at || all}`,
    label,
  });

/** The first match counts. Headings are in lower case, without quotes and repeated spaces. */
const rules: Rule[] = [
  [/^(?:name|full name|display name|contact name)$/, named('name')],
  [/^(?:name prefix|title|prefix)$/, part(0)],
  [/^(?:first name|given name|firstname)$/, part(1)],
  [/^(?:middle name|additional name)$/, part(2)],
  [/^(?:last name|family name|surname|lastname)$/, part(3)],
  [/^(?:name suffix|suffix)$/, part(4)],
  [/^nickname$/, named('nickname')],
  [/^(?:company|organi[sz]ation(?: name)?|organization 1 - name)$/, named('company')],
  [/^(?:job title|organi[sz]ation (?:1 - )?title)$/, named('job_title')],
  [/^(?:birthday|birth date|date of birth)$/, named('birthday')],
  [/^address (\d+) - (label|type|street|city|region|postal code|country|po box|extended address)$/, placeOf],
  [/^(home|business|other) (street|city|state|postal code|country(?:\/region)?)$/, placeOf],
  [/^notes?$/, named('note')],
  [/^(?:tag|tag name|tag_name)$/, named('tag_name')],
  [/^(?:favou?rite|starred)$/, named('favourite')],
  [/^(?:group membership|labels|categories)$/, named('groups')],
  [/^e-?mail (\d+) - value$/, many('address')],
  [/^e-?mail (\d+) - (?:type|label)$/, ([, at]) => ({ field: 'address_label', key: `address ${at}` })],
  [/^(?:e-?mails?|e-?mail(?: (\d+))? address|e-?mail (\d+))$/, ([all]) => many('address')([all ?? ''])],
  [/^phone (\d+) - value$/, many('number')],
  [/^phone (\d+) - (?:type|label)$/, ([, at]) => ({ field: 'number_label', key: `number ${at}` })],
  [/^(?:mobile|cell)(?: (?:phone|number))?$/, ([all]) => many('number', 'mobile')([all])],
  [/^(?:home|business|work|car|other|primary|main|company main) (?:phone|number)(?: \d+)?$/, labelledPhone],
  [/^(?:phones?|phone number|number|telephone|tel)(?: \d+)?$/, ([all]) => many('number')([all])],
  [/^im (\d+) - value$/, many('handle')],
  [/^im (\d+) - (?:service|label)$/, ([, at]) => ({ field: 'network', key: `handle ${at}` })],
];

/** The part of an address that a heading of Google or Outlook names. */
const parts_of_places: Record<string, AddressPart | 'label' | 'more'> = {
  label: 'label',
  type: 'label',
  street: 'street',
  city: 'locality',
  state: 'region',
  region: 'region',
  'postal code': 'postal_code',
  country: 'country',
  'country/region': 'country',
  'po box': 'more',
  'extended address': 'more',
};

function placeOf([, which = '', what = '']: RegExpExecArray): Column {
  return { field: 'place', key: which, part: parts_of_places[what] ?? 'more' };
}

function labelledPhone([all]: RegExpExecArray): Column {
  const label = all.replace(/ (?:phone|number)(?: \d+)?$/, '').replace('business', 'work');
  return many('number', label)([all]);
}

/** Google joins several values in one cell, and marks the preferred label. */
const between = /(?<!\s)\s*:::\s*/;
const preferred = /^\*\s*/;

function columnOf(heading: string): Column | undefined {
  const plain = heading.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  for (const [pattern, read] of rules) {
    const match = pattern.exec(plain);
    if (match) return read(match);
  }
  return undefined;
}

/**
 * A reader for the rows of a table with these headings; undefined when no heading is known, so that it is not a contact
 * file.
 */
export function readHeadings(headings: string[]): ((cells: string[]) => FoundContact) | undefined {
  const columns = headings.map(columnOf);
  const tells = columns.some((column) => column && !['note', 'groups', 'favourite'].includes(column.field));
  return tells ? (cells) => readRow(columns, cells) : undefined;
}

type Reading = {
  found: FoundContact;
  parts: string[];
  nickname: string;
  company: string;
  beside: Map<string, string>;
  /** Addresses by the common part of their headings. */
  places: Map<string, PostalAddress>;
};

function readRow(columns: (Column | undefined)[], cells: string[]): FoundContact {
  const row: Reading = {
    found: emptyFoundContact(),
    parts: [],
    nickname: '',
    company: '',
    beside: new Map(),
    places: new Map(),
  };
  // Labels are read first, since their column may precede or follow that of the value.
  for (const [at, column] of columns.entries()) if (column) readBeside(row, column, (cells[at] ?? '').trim());
  for (const [at, column] of columns.entries()) {
    const cell = (cells[at] ?? '').trim();
    if (column && cell !== '') readCell(row, column, cell);
  }
  const { found, parts, nickname, company, places } = row;
  const name = found.name || parts.filter(Boolean).join(' ') || nickname;
  // Without any name, this becomes the name.
  const details = { ...found.details, organization: name ? company : '', addresses: [...places.values()] };
  return { ...found, name: name || company, details };
}

function readBeside({ beside }: Reading, column: Column, cell: string): void {
  if (column.field === 'number_label' || column.field === 'address_label' || column.field === 'network')
    beside.set(column.key, cell.replace(preferred, '').toLowerCase());
}

function readCell(row: Reading, column: Column, cell: string): void {
  const { found } = row;
  const values = cell.split(between);
  switch (column.field) {
    case 'name':
    case 'note':
    case 'tag_name':
      found[column.field] ||= cell;
      break;
    case 'nickname':
    case 'company':
      row[column.field] ||= cell;
      break;
    case 'job_title':
    case 'birthday':
      found.details[column.field] ||= cell;
      break;
    case 'place':
      readPlace(row, column, cell);
      break;
    case 'part':
      row.parts[column.place] = cell;
      break;
    case 'favourite':
      found.favourite = /^(?:1|true|yes|y|x)$/i.test(cell);
      break;
    case 'groups':
      found.favourite ||= values.some((group) => /^\*?\s*starred$/i.test(group));
      break;
    case 'number':
      found.phones.push(...values.map((number) => ({ label: row.beside.get(column.key) ?? column.label, number })));
      break;
    case 'address':
      found.emails.push(...values.map((address) => ({ label: row.beside.get(column.key) ?? column.label, address })));
      break;
    case 'handle':
      found.im.push(...values.map((handle) => ({ network: row.beside.get(column.key) ?? 'other', handle })));
      break;
    default:
      // Labels were read before.
      break;
  }
}

/** A part of an address; parts that have no field are appended to the street. */
function readPlace({ places }: Reading, { key, part: name }: Extract<Column, { field: 'place' }>, cell: string): void {
  const label = /^\d+$/.test(key) ? '' : key.replace('business', 'work');
  const place = places.get(key) ?? { ...blank_address, label };
  places.set(key, place);
  if (name === 'label') place.label = cell.replace(preferred, '').toLowerCase();
  else if (name === 'more' || name === 'street') place.street = [place.street, cell].filter(Boolean).join(', ');
  else place[name] = cell;
}
