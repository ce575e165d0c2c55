/** Further details of a contact: work, birthday, postal addresses. */
import type { Fields } from '../../kernel/errors.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { nullable, object, optional, text, Type, type Static } from '../../kernel/schema.ts';

/** A postal address; parts that are not known are empty. */
export type PostalAddress = {
  label: string;
  street: string;
  locality: string;
  region: string;
  postal_code: string;
  country: string;
};

/** The details of a contact that are stored as one value. */
export type ContactDetails = {
  organization: string;
  job_title: string;
  /** `YYYY-MM-DD`, or `--MM-DD` when the year is unknown (RFC 6350, section 6.2.5). */
  birthday: string | null;
  addresses: PostalAddress[];
  /** The key of the photo (`contact-photos.ts`). */
  photo: string | null;
};

/** The details of a contact without any. */
export const no_details: ContactDetails = {
  organization: '',
  job_title: '',
  birthday: null,
  addresses: [],
  photo: null,
};

/** An empty address. */
export const blank_address: PostalAddress = {
  label: '',
  street: '',
  locality: '',
  region: '',
  postal_code: '',
  country: '',
};

/** The parts of a postal address. */
export const address_parts = ['street', 'locality', 'region', 'postal_code', 'country'] as const;

const many = { maxItems: default_limits.contact_values };
const birthday_description = 'YYYY-MM-DD, or --MM-DD without a year (RFC 6350, section 6.2.5).';

/** The fields of details in a contact's schema. */
export const shownDetails = {
  organization: Type.String(),
  job_title: Type.String(),
  birthday: nullable(Type.String({ description: birthday_description })),
  addresses: Type.Array(
    object({
      label: Type.String(),
      street: Type.String(),
      locality: Type.String(),
      region: Type.String(),
      postal_code: Type.String(),
      country: Type.String(),
    }),
    many,
  ),
};

const part = optional(text(0, 200));

/** The fields of details in a request body. */
export const typedDetails = {
  organization: optional(text(0, 200)),
  job_title: optional(text(0, 200)),
  birthday: optional(nullable(Type.String({ maxLength: 10, description: birthday_description }))),
  addresses: optional(
    Type.Array(
      object({
        label: optional(text(0, 40, 'For example `home` or `work`; `other` by default.')),
        street: part,
        locality: part,
        region: part,
        postal_code: part,
        country: part,
      }),
      many,
    ),
  ),
};

const AllTyped = object(typedDetails);

/** Details as found in a file, before validation. */
export type FoundDetails = Omit<ContactDetails, 'birthday' | 'photo'> & { birthday: string };

/** Whether a birthday is an existing date, in a leap year when the year is unknown. */
function isBirthday(written: string): boolean {
  const [, year, month, day] = /^(\d{4}|-)-(\d\d)-(\d\d)$/.exec(written) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year === '-' ? 2000 : Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** The key by which addresses are compared. */
const keyOfAddress = (one: PostalAddress): string => address_parts.map((name) => one[name].toLowerCase()).join('\n');

/** Normalises typed details. Invalid fields are added to `wrong`. */
export function normaliseDetails(typed: Static<typeof AllTyped>, wrong: Fields): Partial<ContactDetails> {
  const details: Partial<ContactDetails> = {};
  if (typed.organization !== undefined) details.organization = typed.organization.trim();
  if (typed.job_title !== undefined) details.job_title = typed.job_title.trim();
  if (typed.birthday !== undefined) {
    if (typed.birthday !== null && !isBirthday(typed.birthday)) wrong['birthday'] = 'is not a valid date';
    details.birthday = typed.birthday;
  }
  if (typed.addresses) {
    details.addresses = typed.addresses.map((one, at) => {
      const address = { label: one.label?.trim() || 'other' } as PostalAddress;
      for (const name of address_parts) address[name] = one[name]?.trim() ?? '';
      if (address_parts.every((name) => address[name] === '')) wrong[`addresses.${at}`] = 'is empty';
      return address;
    });
  }
  return details;
}

/** A birthday as files write it: with or without separators, with a time, or with the placeholder year 1604 (Apple). */
function readBirthday(written: string): string {
  const plain = written.trim().split('T', 1)[0] ?? '';
  const [, year = '-', month, day] = /^(?:(\d{4})-?|--)(\d\d)-?(\d\d)$/.exec(plain) ?? [];
  if (month === undefined || day === undefined) return plain;
  return `${year === '1604' ? '-' : year}-${month}-${day}`;
}

/** The valid part of found details; what is invalid is omitted and reported. @param tidy shortens and cleans a text */
export function acceptDetails(
  found: FoundDetails,
  errors: Fields,
  tidy: (text: string, length: number) => string,
): ContactDetails {
  const birthday = readBirthday(found.birthday);
  if (birthday !== '' && !isBirthday(birthday)) errors['birthday'] = 'is not a valid date';
  const addresses = found.addresses
    .map((one) => {
      const address = { label: tidy(one.label, 40) || 'other' } as PostalAddress;
      for (const name of address_parts) address[name] = tidy(one[name], 200);
      return address;
    })
    .filter((one) => address_parts.some((name) => one[name] !== ''));
  const { contact_values: max_contact_values } = default_limits;
  if (addresses.length > max_contact_values)
    errors['addresses'] = `are more than ${max_contact_values}; the others were dropped`;
  return {
    organization: tidy(found.organization, 200),
    job_title: tidy(found.job_title, 200),
    birthday: isBirthday(birthday) ? birthday : null,
    addresses: joinAddresses([], addresses),
    photo: null,
  };
}

/** Merges two lists of addresses without duplicates. */
function joinAddresses(known: PostalAddress[], more: PostalAddress[]): PostalAddress[] {
  const all = new Map([...known, ...more].map((one) => [keyOfAddress(one), one] as const).toReversed());
  return [...all.values()].toReversed().slice(0, default_limits.contact_values);
}

/** Adds found details to known ones; existing values are kept. */
export function mergeDetails(known: ContactDetails, found: ContactDetails): ContactDetails {
  return {
    organization: known.organization || found.organization,
    job_title: known.job_title || found.job_title,
    birthday: known.birthday ?? found.birthday,
    addresses: joinAddresses(known.addresses, found.addresses),
    photo: known.photo ?? found.photo,
  };
}

/** Whether merging would change nothing. */
export function holdsDetails(known: ContactDetails, found: ContactDetails): boolean {
  if (found.organization && !known.organization) return false;
  if (found.job_title && !known.job_title) return false;
  if (found.photo !== null && known.photo === null) return false;
  if (found.birthday !== null && known.birthday === null) return false;
  if (known.addresses.length >= default_limits.contact_values) return true;
  const keys = new Set(known.addresses.map(keyOfAddress));
  return found.addresses.every((one) => keys.has(keyOfAddress(one)));
}
