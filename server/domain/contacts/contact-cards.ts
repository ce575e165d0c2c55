/**
 * Contacts in vCards (RFC 2426, RFC 6350), as written by phones and the address books of Apple, Google and Nextcloud.
 */
import { refusalText, type Fields } from '../../kernel/errors.ts';
import type { Card, CardProperty } from '../../kernel/formats/vcard.ts';
import type { PostalAddress } from './contact-details.ts';
import { emptyFoundContact, type FoundContact } from './contact-drafts.ts';

/** Non-standard properties for single networks, older than IMPP (RFC 4770). */
const im_properties: Record<string, string> = {
  'x-jabber': 'xmpp',
  'x-skype': 'skype',
  'x-skype-username': 'skype',
  'x-aim': 'aim',
  'x-icq': 'icq',
  'x-msn': 'msn',
  'x-yahoo': 'yahoo',
  'x-qq': 'qq',
  'x-matrix': 'matrix',
};

/** TYPE values that are useful as labels of a number, the most specific first. */
const useful_types = ['cell', 'iphone', 'fax', 'pager', 'car', 'work', 'home', 'main'];
const spoken: Record<string, string> = { cell: 'mobile', iphone: 'mobile' };

/** Properties that are read, or that concern the card and not the contact (RFC 6350, section 6). */
const understood = new Set([
  'version',
  'prodid',
  'rev',
  'uid',
  'kind',
  'clientpidmap',
  'source',
  'profile',
  'mailer',
  'sort-string',
  'class',
  'fn',
  'n',
  'nickname',
  'org',
  'tel',
  'email',
  'impp',
  'note',
  'title',
  'bday',
  'adr',
  'categories',
  'x-ablabel',
  'x-asterism-tag',
  'begin',
  'end',
  ...Object.keys(im_properties),
]);

/** The note on details that the address book does not store. */
export const not_stored = refusalText('is not supported and was dropped');

/** Properties of a card that are not stored, by name. */
export function findDropped({ properties }: Card): Fields {
  const dropped = properties.map(({ name }) => name).filter((name) => !understood.has(name));
  return Object.fromEntries(dropped.map((name) => [name, not_stored]));
}

/** Reads a contact from a card. */
export function readContactCard(card: Card): FoundContact {
  const { properties } = card;
  const all = (name: string) => properties.filter((one) => one.name === name).toSorted(byPreference);
  const text = (name: string) => all(name)[0]?.values.join(' ').trim() ?? '';
  const labels = new Map(
    properties
      .filter(({ name, group }) => name === 'x-ablabel' && group)
      .map(({ group, values }) => [group, values[0]]),
  );
  const labelOf = (property: CardProperty) => appleLabel(labels.get(property.group)) ?? typeLabel(property);
  const is_favourite = all('categories').some(({ values }) => values.some((value) => /^starred$/i.test(value.trim())));
  const name = text('fn') || nameOf(all('n')[0]) || text('nickname');
  const organization = (all('org')[0]?.values ?? []).filter(Boolean).join(', ');
  return {
    ...emptyFoundContact(),
    name: name || organization,
    phones: all('tel').map((one) => ({ label: labelOf(one), number: numberOf(one.values[0] ?? '') })),
    emails: all('email').map((one) => ({
      label: labelOf(one),
      address: (one.values[0] ?? '').replace(/^mailto:/i, '').trim(),
    })),
    im: [...all('impp').map(readImpp), ...properties.flatMap(readOldIm)],
    tag_name: text('x-asterism-tag'),
    note: all('note')
      .map(({ values }) => values.join(', '))
      .join('\n'),
    favourite: is_favourite,
    photo: card.photo,
    details: {
      // Without any name, this becomes the name.
      organization: name ? organization : '',
      job_title: text('title'),
      birthday: text('bday'),
      addresses: all('adr').map((one) => addressOf(one, labelOf(one))),
    },
  };
}

/** Post-office box, extended address, street, locality, region, code, country (RFC 6350, section 6.3.1). */
function addressOf({ values }: CardProperty, label: string): PostalAddress {
  const [box = '', extension = '', street = '', locality = '', region = '', postal_code = '', country = ''] = values;
  return { label, street: [box, extension, street].filter(Boolean).join(', '), locality, region, postal_code, country };
}

/** PREF is 1 to 100, 1 first (RFC 6350); formerly `TYPE=PREF` (RFC 2426). */
function byPreference(one: CardProperty, other: CardProperty): number {
  return preferenceOf(one) - preferenceOf(other);
}

function preferenceOf({ params }: CardProperty): number {
  if (params['type']?.some((type) => /^pref$/i.test(type))) return 1;
  return Number(params['pref']?.[0] ?? 101) || 101;
}

/** Family, given, additional, prefix and suffix names, in spoken order. */
function nameOf(property: CardProperty | undefined): string {
  const [family = '', given = '', additional = '', prefix = '', suffix = ''] = property?.values ?? [];
  return [prefix, given, additional, family, suffix].filter(Boolean).join(' ');
}

/** A number as text, or as a URI (RFC 3966) without its parameters. */
function numberOf(value: string): string {
  return (/^tel:([^;]*)/i.exec(value)?.[1] ?? value).trim();
}

/** Apple writes custom labels next to the property, and wraps built-in ones in markers. */
function appleLabel(label: string | undefined): string | undefined {
  return label?.replace(/^_\$!<(.*)>!\$_$/, '$1').toLowerCase();
}

function typeLabel({ params }: CardProperty): string {
  const types = (params['type'] ?? []).flatMap((type) => type.toLowerCase().split(','));
  const word = useful_types.find((one) => types.includes(one));
  return word ? (spoken[word] ?? word) : '';
}

/** A handle as a URI whose scheme is the network, unless a parameter names it. */
function readImpp({ params, values: [value = ''] }: CardProperty): { network: string; handle: string } {
  const [, scheme = '', rest = value] = /^([a-z][a-z0-9+.-]*):(.*)$/i.exec(value) ?? [];
  const network = params['x-service-type']?.[0] ?? scheme;
  return { network, handle: rest };
}

function readOldIm({ name, values: [handle = ''] }: CardProperty): { network: string; handle: string }[] {
  const network = im_properties[name];
  return network ? [{ network, handle }] : [];
}
