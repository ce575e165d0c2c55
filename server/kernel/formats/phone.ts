/** Phone numbers: from what people type to E.164 (ITU-T), and where they belong. */
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { invalid } from '../errors.ts';

/** A number in E.164, or undefined when no such number can exist. */
export function normaliseNumber(number: string, region?: string): string | undefined {
  const parsed = parsePhoneNumberFromString(number, region ? { defaultCountry: region as 'US' } : {});
  return parsed?.isPossible() ? parsed.number : undefined;
}

/**
 * The region by whose rules somebody dials (ISO 3166-1, two letters): that of their own number, else that of their locale
 * (BCP 47). A code that several countries share, as +44 is, stands for the first of them, whose way of dialling is theirs.
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

/** A number in E.164, or a refusal that names the field. @throws ApiError `validation_failed` */
export function requireNumber(field: string, number: string): string {
  return (
    normaliseNumber(number) ??
    invalid({ [field]: 'is not a valid phone number in international format, such as +14155550123' })
  );
}

/** Calling codes that belong to no country: freephone, satellites, personal and global networks (ITU-T E.164 annex). */
const global_codes = new Set(['800', '808', '870', '878', '881', '882', '883', '888', '979']);

/**
 * A number that a code may be sent to by SMS, in E.164; not one that costs a multiple of that, as personal numbers (+44 70) do.
 * @throws ApiError `validation_failed` that names the field
 */
export function requireTextable(field: string, number: string): string {
  const normal = requireNumber(field, number);
  const is_personal = parsePhoneNumberFromString(normal)?.getType() === 'PERSONAL_NUMBER';
  if (global_codes.has(countryOf(normal)) || is_personal || isCharged(normal))
    invalid({ [field]: 'cannot receive a code by SMS' });
  return normal;
}

/** The country code that a number belongs to, for budgets. */
export function countryOf(number: string): string {
  return parsePhoneNumberFromString(number)?.countryCallingCode ?? 'unknown';
}

/** The country or territory that a number belongs to (ISO 3166-1, two letters), of those that share its code; undefined when that is not known. */
export function territoryOf(number: string): string | undefined {
  return parsePhoneNumberFromString(number)?.country;
}

/** Kinds of numbers that cost about what a call within their country costs, or nothing. */
const ordinary_types = new Set<string | undefined>([
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'VOIP',
  'TOLL_FREE',
]);

/**
 * Whether a number is valid and of a known ordinary kind (libphonenumber's metadata). Personal, directory and other
 * special numbers are not, nor is what belongs to no country: satellite and global codes (ITU-T E.164, such as +870 and
 * +881 to +883).
 */
export function isOrdinary(number: string): boolean {
  const parsed = parsePhoneNumberFromString(number);
  return !!parsed?.isValid() && parsed.country !== undefined && ordinary_types.has(parsed.getType());
}

/** Whether a country (ISO 3166-1, two letters, capitals) has telephone numbers. */
export const isPhoneCountry = (country: string): boolean => isSupportedCountry(country);

const charged_types = new Set<string | undefined>(['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PAGER']);

/** Whether a number costs those who call it more than a call, or is no phone at all (libphonenumber's metadata). */
export function isCharged(number: string): boolean {
  return charged_types.has(parsePhoneNumberFromString(number)?.getType());
}
