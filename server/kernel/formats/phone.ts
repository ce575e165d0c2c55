/** Phone numbers: parsing of typed numbers to E.164 (ITU-T), and their regions. */
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { invalid } from '../errors.ts';

/** A number in E.164, or undefined when no such number can exist. */
export function normaliseNumber(number: string, region?: string): string | undefined {
  const parsed = parsePhoneNumberFromString(number, region ? { defaultCountry: region as 'US' } : {});
  return parsed?.isPossible() ? parsed.number : undefined;
}

/**
 * The region whose dialling rules a person uses (ISO 3166-1, two letters): that of their own number, else that of their
 * locale (BCP 47). A calling code that several countries share, such as +44, counts as its main country.
 */
export function regionOf(number: string | null, locale: string): string | undefined {
  const parsed = number ? parsePhoneNumberFromString(number) : undefined;
  return parsed?.country ?? parsed?.getPossibleCountries()[0] ?? regionOfLocale(locale);
}

function regionOfLocale(locale: string): string | undefined {
  try {
    return new Intl.Locale(locale).region;
  } catch {
    return undefined;
  }
}

/** A number in E.164. @throws ApiError `validation_failed` that names the field */
export function requireNumber(field: string, number: string): string {
  return normaliseNumber(number) ?? invalid({ [field]: 'must be in international format, such as +14155550123' });
}

/** Calling codes that belong to no country: freephone, satellite, personal and global networks (ITU-T E.164 annex). */
const global_codes = new Set(['800', '808', '870', '878', '881', '882', '883', '888', '979']);

/**
 * A number in E.164 that a code may be sent to by SMS; not a premium one, such as a personal number (+44 70).
 * @throws ApiError `validation_failed` that names the field
 */
export function requireTextable(field: string, number: string): string {
  const normal = requireNumber(field, number);
  const is_personal = parsePhoneNumberFromString(normal)?.getType() === 'PERSONAL_NUMBER';
  if (global_codes.has(countryOf(normal)) || is_personal || isCharged(normal))
    invalid({ [field]: 'cannot receive a code by SMS' });
  return normal;
}

/** The country calling code of a number, as a key for budgets. */
export function countryOf(number: string): string {
  return parsePhoneNumberFromString(number)?.countryCallingCode ?? 'unknown';
}

/**
 * The country or territory of a number (ISO 3166-1, two letters), also within a shared calling code; undefined when
 * unknown.
 */
export function territoryOf(number: string): string | undefined {
  return parsePhoneNumberFromString(number)?.country;
}

/** Kinds of numbers that cost about as much as a domestic call, or nothing. */
const ordinary_types = new Set<string | undefined>([
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'VOIP',
  'TOLL_FREE',
]);

/**
 * Whether a number is valid and of a known ordinary kind (libphonenumber's metadata). Personal, directory and other
 * special numbers are not, and neither are satellite and global codes (ITU-T E.164, such as +870 and +881 to +883).
 */
export function isOrdinary(number: string): boolean {
  const parsed = parsePhoneNumberFromString(number);
  return !!parsed?.isValid() && parsed.country !== undefined && ordinary_types.has(parsed.getType());
}

/** Whether a country (ISO 3166-1, two upper-case letters) has telephone numbers. */
export const isPhoneCountry = (country: string): boolean => isSupportedCountry(country);

const charged_types = new Set<string | undefined>(['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER']);

/** Whether a number is premium-rate, or not a phone at all (libphonenumber's metadata). */
export function isCharged(number: string): boolean {
  return charged_types.has(parsePhoneNumberFromString(number)?.getType());
}
