import { type Contact } from '../../data/queries/contact-queries.ts';

/** A postal address, formatted as on a letter. */
export function formatAddress({
  street,
  locality,
  region,
  postal_code,
  country,
}: Contact['addresses'][number]): string {
  const town = [postal_code, locality].filter(Boolean).join(' ');
  return [street, town, region, country].filter(Boolean).join('\n');
}
