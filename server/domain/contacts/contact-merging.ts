/** Merging into an address book: the valid part of a found contact, the contact that it matches, and what it adds. */
import type { Fields } from '../../kernel/errors.ts';
import { normaliseNumber } from '../../kernel/formats/phone.ts';
import { withoutDisruptive } from '../../kernel/schema.ts';
import { compileValidator } from '../../kernel/validation.ts';
import { Email } from '../accounts/accounts.ts';
import { acceptDetails, holdsDetails, mergeDetails } from './contact-details.ts';
import { max_contact_values, plain_label, type FoundContact } from './contact-drafts.ts';
import type { ContactDraft } from './contacts.ts';
import { TagName } from '../social/tags.ts';

const misspellsEmail = compileValidator(Email);
const misspellsTag = compileValidator(TagName);

const max_lengths = { name: 200, label: 40, note: 5000, handle: 200, network: 32 };

/**
 * The valid part of a found contact. Numbers become E.164 by the rules of a region; what is invalid is omitted and
 * reported. Undefined when nothing identifying is left.
 */
export function acceptFound(
  found: FoundContact,
  region: string | undefined,
): { draft: ContactDraft | undefined; errors: Fields } {
  const errors: Fields = {};
  const phones = keepEach(found.phones, 'phones', errors, ({ label, number }, path) => {
    const normal = normaliseNumber(number, region);
    if (!normal) errors[`${path}.number`] = 'is not valid: write it as you dial it, or like +14155550123';
    return normal && { label: labelOf(label), number: normal };
  });
  const emails = keepEach(found.emails, 'emails', errors, ({ label, address }, path) => {
    const normal = tidy(address, 1000).toLowerCase();
    const fits = !misspellsEmail(normal);
    if (!fits) errors[`${path}.address`] = 'is not a valid e-mail address';
    return fits && { label: labelOf(label), address: normal };
  });
  const im = keepEach(found.im, 'im', errors, ({ network, handle }) => {
    const slug = tidy(network, max_lengths.network)
      .toLowerCase()
      .replaceAll(/[^a-z0-9_.-]+/g, '-')
      .replace(/^[_.-]+/, '');
    return { network: slug || plain_label, handle: tidy(handle, max_lengths.handle) };
  });
  const tag_name = tidy(found.tag_name, 64).replace(/^\*/, '').toLowerCase();
  const fits = tag_name !== '' && !misspellsTag(tag_name);
  if (tag_name && !fits) errors['tag_name'] = 'is not a valid tag name';
  const note = found.note.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  if (note.length > max_lengths.note) errors['note'] = 'was too long and has been shortened';
  const details = acceptDetails(found.details, errors, tidy);
  const known_by = phones[0]?.number ?? emails[0]?.address ?? (fits ? tag_name : '');
  const name = tidy(found.name, max_lengths.name) || known_by;
  if (!name) return { draft: undefined, errors };
  return {
    draft: {
      name,
      phones: firstOf(phones, ({ number }) => number),
      emails: firstOf(emails, ({ address }) => address),
      tag_name: fits ? tag_name : null,
      im: firstOf(im, keyOfHandle),
      note: cut(note, max_lengths.note),
      favourite: found.favourite,
      details,
    },
    errors,
  };
}

const keyOfHandle = ({ network, handle }: ContactDraft['im'][number]) => `${network} ${handle.toLowerCase()}`;
const labelOf = (label: string) => tidy(label, max_lengths.label) || plain_label;
/** Cut between code points, not within one. */
const cut = (text: string, length: number) => (text.length > length ? text.slice(0, length).toWellFormed() : text);
const tidy = (text: string, length: number) =>
  cut(withoutDisruptive(text.toWellFormed().replaceAll(/[\0\s]+/g, ' ')).trim(), length).trim();

/** How many numbers, addresses or handles of one contact are examined, valid or not. */
const max_examined = 5 * max_contact_values;

/** The valid items, up to the maximum of a contact; blank ones are skipped. */
function keepEach<In extends object, Out>(
  items: In[],
  field: string,
  errors: Fields,
  keep: (item: In, path: string) => Out | false | '' | undefined,
): Out[] {
  const kept: Out[] = [];
  for (const [at, item] of items.entries()) {
    const value = Object.entries(item).find(([name]) => name !== 'label' && name !== 'network')?.[1] as string;
    if (value.trim() === '') continue;
    if (kept.length === max_contact_values || at >= max_examined) {
      errors[field] = `are more than ${max_contact_values}; the others were dropped`;
      break;
    }
    const one = keep(item, `${field}.${at}`);
    if (one) kept.push(one);
  }
  return kept;
}

function firstOf<T>(items: T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size < seen.add(keyOf(item)).size);
}

/**
 * Adds numbers, addresses, handles and missing fields of a found contact to a known one. Existing values are kept, so
 * that merging twice changes nothing.
 */
function mergeContact(known: ContactDraft, found: ContactDraft): ContactDraft {
  return {
    name: known.name,
    phones: firstOf([...known.phones, ...found.phones], ({ number }) => number).slice(0, max_contact_values),
    emails: firstOf([...known.emails, ...found.emails], ({ address }) => address).slice(0, max_contact_values),
    tag_name: known.tag_name ?? found.tag_name,
    im: firstOf([...known.im, ...found.im], keyOfHandle).slice(0, max_contact_values),
    note: known.note || found.note,
    favourite: known.favourite || found.favourite,
    details: mergeDetails(known.details, found.details),
  };
}

/** Whether merging would change nothing; checked without merging, since it is needed very often. */
function holdsAll(known: ContactDraft, found: ContactDraft): boolean {
  const holdsEach = <T>(mine: T[], theirs: T[], keyOf: (item: T) => string) =>
    mine.length >= max_contact_values || theirs.every((one) => mine.some((other) => keyOf(other) === keyOf(one)));
  return (
    (known.tag_name ?? found.tag_name) === known.tag_name &&
    (known.note || found.note) === known.note &&
    (known.favourite || !found.favourite) &&
    holdsDetails(known.details, found.details) &&
    holdsEach(known.phones, found.phones, ({ number }) => number) &&
    holdsEach(known.emails, found.emails, ({ address }) => address) &&
    holdsEach(known.im, found.im, keyOfHandle)
  );
}

/** A contact of the book, or one that the import will create, which has no identifier yet. */
export type BookEntry = { id: string | undefined; draft: ContactDraft };

/** What an import does with one row. */
export type Decision<Entry extends BookEntry = BookEntry> = {
  row: number;
  action: 'create' | 'update' | 'skip';
  /**
   * Why it is skipped: the book has all of it already; or an earlier row is the same contact, into which it is merged.
   */
  reason?: 'unchanged' | 'duplicate';
  entry: Entry | BookEntry;
};

/**
 * Decides for each found contact, in order, how it changes a book: a new contact, an update, or nothing. `entry` is the
 * same object for all that match the same contact, and ends up with the merged data.
 */
export function planImport<Entry extends BookEntry>(
  book: Entry[],
  rows: { row: number; draft: ContactDraft }[],
): Decision<Entry>[] {
  const index = new BookIndex<Entry>();
  const touched = new Set<Entry | BookEntry>();
  const decisions: Decision<Entry>[] = [];
  for (const entry of book) index.add(entry);
  for (const { row, draft } of rows) {
    const known = index.find(draft);
    const entry = known ?? { id: undefined, draft };
    const was_touched = touched.has(entry);
    if (known && holdsAll(known.draft, draft)) {
      decisions.push({ row, action: 'skip', reason: was_touched ? 'duplicate' : 'unchanged', entry });
      continue;
    }
    if (known) known.draft = mergeContact(known.draft, draft);
    index.add(entry);
    touched.add(entry);
    if (was_touched) decisions.push({ row, action: 'skip', reason: 'duplicate', entry });
    else decisions.push({ row, action: known ? 'update' : 'create', entry });
  }
  return decisions;
}

const addressesOf = ({ phones, emails, tag_name }: ContactDraft): string[] => [
  ...phones.map(({ number }) => number),
  ...emails.map(({ address }) => address),
  ...(tag_name ? [`*${tag_name}`] : []),
];
const foldName = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/**
 * How many entries with the same address are considered, oldest first: a number shared by thousands identifies no
 * contact.
 */
const max_alike = 50;

const key_of = {
  name: (name: string) => `name ${name}`,
  address: (address: string) => `address ${address}`,
  both: (address: string, name: string) => `both ${address} ${name}`,
};

/** The lookup keys of an entry. A new entry is found only by its name together with an address. */
function keysOf({ id, draft }: BookEntry): string[] {
  const name = foldName(draft.name);
  const addresses = addressesOf(draft);
  return [
    key_of.name(name),
    ...addresses.map((one) => key_of.both(one, name)),
    ...(id === undefined ? [] : addresses.map(key_of.address)),
  ];
}

/** The entries of a book by their addresses and names. */
class BookIndex<Entry extends BookEntry> {
  readonly #alike = new Map<string, (Entry | BookEntry)[]>();

  add(entry: Entry | BookEntry): void {
    for (const key of keysOf(entry)) {
      const alike = this.#alike.get(key);
      if (!alike) this.#alike.set(key, [entry]);
      else if (alike.length < max_alike && !alike.includes(entry)) alike.push(entry);
    }
  }

  /**
   * Finds the entry that a contact matches. Among those that share an address: one with the same name; or one from
   * before the import, if all addresses of either belong to the other. So a number shared by a family or an office does
   * not merge people with different names and addresses. A contact without addresses is matched by name only.
   */
  find(draft: ContactDraft): Entry | BookEntry | undefined {
    const addresses = addressesOf(draft);
    const name = foldName(draft.name);
    const ofKeys = (keys: string[]) => [...new Set(keys.flatMap((key) => this.#alike.get(key) ?? []))];
    if (addresses.length === 0) return ofKeys([key_of.name(name)])[0];
    const named = ofKeys(addresses.map((one) => key_of.both(one, name)));
    const others = ofKeys(addresses.map(key_of.address)).filter((entry) => isPartOf(entry, addresses));
    // Entries that already have everything come first, so that repeating an import changes nothing.
    const same = [...named, ...others];
    return same.find((entry) => holdsAll(entry.draft, draft)) ?? same[0];
  }
}

function isPartOf({ draft }: BookEntry, addresses: string[]): boolean {
  const known = addressesOf(draft);
  return addresses.every((one) => known.includes(one)) || known.every((one) => addresses.includes(one));
}
