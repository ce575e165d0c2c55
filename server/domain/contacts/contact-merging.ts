/** Importing into an address book: what of a found contact can be kept, which contact it is, and what it adds to that. */
import type { Fields } from '../../kernel/errors.ts';
import { normaliseNumber } from '../../kernel/formats/phone.ts';
import { compileValidator, withoutDisruptive } from '../../kernel/schema.ts';
import { Email } from '../accounts/accounts.ts';
import { acceptDetails, holdsDetails, mergeDetails } from './contact-details.ts';
import { max_of_each, plain_label, type ContactFound } from './contact-drafts.ts';
import type { ContactDraft } from './contacts.ts';
import { TagName } from '../social/tags.ts';

const misspellsEmail = compileValidator(Email);
const misspellsTag = compileValidator(TagName);

const longest = { name: 200, label: 40, note: 5000, handle: 200, network: 32 };

/**
 * What of a found contact can be kept. Numbers become E.164 by the rules of a region; what cannot be kept is left out and
 * named. Undefined when nothing is left by which it could be known.
 */
export function acceptFound(
  found: ContactFound,
  region: string | undefined,
): { draft: ContactDraft | undefined; errors: Fields } {
  const errors: Fields = {};
  const phones = keepEach(found.phones, 'phones', errors, ({ label, number }, path) => {
    const normal = normaliseNumber(number, region);
    if (!normal) errors[`${path}.number`] = 'is not a valid phone number';
    return normal && { label: labelOf(label), number: normal };
  });
  const emails = keepEach(found.emails, 'emails', errors, ({ label, address }, path) => {
    const normal = tidy(address, 1000).toLowerCase();
    const fits = !misspellsEmail(normal);
    if (!fits) errors[`${path}.address`] = 'is not a valid e-mail address';
    return fits && { label: labelOf(label), address: normal };
  });
  const im = keepEach(found.im, 'im', errors, ({ network, handle }) => {
    const slug = tidy(network, longest.network)
      .toLowerCase()
      .replaceAll(/[^a-z0-9_.-]+/g, '-')
      .replace(/^[_.-]+/, '');
    return { network: slug || plain_label, handle: tidy(handle, longest.handle) };
  });
  const tag_name = tidy(found.tag_name, 64).replace(/^\*/, '').toLowerCase();
  const fits = tag_name !== '' && !misspellsTag(tag_name);
  if (tag_name && !fits) errors['tag_name'] = 'is not a valid tag name';
  const note = found.note.toWellFormed().replaceAll('\0', '').replaceAll('\r\n', '\n').trim();
  if (note.length > longest.note) errors['note'] = 'was too long and has been shortened';
  const details = acceptDetails(found.details, errors, tidy);
  const known_by = phones[0]?.number ?? emails[0]?.address ?? (fits ? tag_name : '');
  const name = tidy(found.name, longest.name) || known_by;
  if (!name) return { draft: undefined, errors };
  return {
    draft: {
      name,
      phones: firstOf(phones, ({ number }) => number),
      emails: firstOf(emails, ({ address }) => address),
      tag_name: fits ? tag_name : null,
      im: firstOf(im, keyOfHandle),
      note: cut(note, longest.note),
      favourite: found.favourite,
      details,
    },
    errors,
  };
}

const keyOfHandle = ({ network, handle }: ContactDraft['im'][number]) => `${network} ${handle.toLowerCase()}`;
const labelOf = (label: string) => tidy(label, longest.label) || plain_label;
/** Cut between characters, not in the middle of one. */
const cut = (text: string, length: number) => (text.length > length ? text.slice(0, length).toWellFormed() : text);
const tidy = (text: string, length: number) =>
  cut(withoutDisruptive(text.toWellFormed().replaceAll(/[\0\s]+/g, ' ')).trim(), length).trim();

/** How many numbers, addresses or handles of one contact are looked at, whether they can be kept or not. */
const max_looked_at = 5 * max_of_each;

/** Up to as many as a contact may have of what is left of each; blank ones are none. */
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
    if (kept.length === max_of_each || at >= max_looked_at) {
      errors[field] = `are more than ${max_of_each}; the others were left out`;
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
 * A contact with what another says added: numbers, addresses and handles that it has not, and what is blank. Nothing that
 * stands is changed, so that adding the same again adds nothing.
 */
function mergeContact(known: ContactDraft, found: ContactDraft): ContactDraft {
  return {
    name: known.name,
    phones: firstOf([...known.phones, ...found.phones], ({ number }) => number).slice(0, max_of_each),
    emails: firstOf([...known.emails, ...found.emails], ({ address }) => address).slice(0, max_of_each),
    tag_name: known.tag_name ?? found.tag_name,
    im: firstOf([...known.im, ...found.im], keyOfHandle).slice(0, max_of_each),
    note: known.note || found.note,
    favourite: known.favourite || found.favourite,
    details: mergeDetails(known.details, found.details),
  };
}

/** Whether adding what another says would change nothing: told without making the sum, since it is asked very often. */
function holdsAll(known: ContactDraft, found: ContactDraft): boolean {
  const holdsEach = <T>(mine: T[], theirs: T[], keyOf: (item: T) => string) =>
    mine.length >= max_of_each || theirs.every((one) => mine.some((other) => keyOf(other) === keyOf(one)));
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

/** A contact of the book, or one that the import is about to make, which has no identifier yet. */
export type BookEntry = { id: string | undefined; draft: ContactDraft };

export type Decision<Entry extends BookEntry = BookEntry> = {
  row: number;
  action: 'create' | 'update' | 'skip';
  /**
   * Why it is skipped: the book has all of it; or an earlier row is the same contact, which takes in what this one adds.
   */
  reason?: 'unchanged' | 'duplicate';
  entry: Entry | BookEntry;
};

/**
 * Decides for each found contact, in their order, what it makes of a book: a new contact, more of one that is there, or
 * nothing. `entry` is the same object for all that come to the same contact, and holds what it will be in the end.
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

/** How many entries with one address are looked at, the oldest: a number that thousands share tells nobody apart. */
const max_alike = 50;

const key_of = {
  name: (name: string) => `name ${name}`,
  address: (address: string) => `address ${address}`,
  both: (address: string, name: string) => `both ${address} ${name}`,
};

/** By what an entry is found. One that is not made yet is found by its name and an address together alone. */
function keysOf({ id, draft }: BookEntry): string[] {
  const name = foldName(draft.name);
  const addresses = addressesOf(draft);
  return [
    key_of.name(name),
    ...addresses.map((one) => key_of.both(one, name)),
    ...(id === undefined ? [] : addresses.map(key_of.address)),
  ];
}

/** Entries of a book by their addresses and names. */
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
   * Which entry somebody is. Of those that share an address: one of the same name; or one that was there before, if all
   * addresses of either are the other's too. So a number that a family or an office shares brings nobody together who
   * is called otherwise and has an address of their own. Who has no address is known by name alone.
   */
  find(draft: ContactDraft): Entry | BookEntry | undefined {
    const addresses = addressesOf(draft);
    const name = foldName(draft.name);
    const ofKeys = (keys: string[]) => [...new Set(keys.flatMap((key) => this.#alike.get(key) ?? []))];
    if (addresses.length === 0) return ofKeys([key_of.name(name)])[0];
    const named = ofKeys(addresses.map((one) => key_of.both(one, name)));
    const others = ofKeys(addresses.map(key_of.address)).filter((entry) => isPartOf(entry, addresses));
    // Whoever has all of it already comes first, so that importing again changes nothing.
    const same = [...named, ...others];
    return same.find((entry) => holdsAll(entry.draft, draft)) ?? same[0];
  }
}

function isPartOf({ draft }: BookEntry, addresses: string[]): boolean {
  const known = addressesOf(draft);
  return addresses.every((one) => known.includes(one)) || known.every((one) => addresses.includes(one));
}
