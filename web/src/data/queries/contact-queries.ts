import type { Reply } from '@asterism/sdk';
import { queryOptions } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';

export type Contact = Reply<'contacts', 'listContacts'>['items'][number];

export const contactsKey = ['contacts'] as const;
/** @param use what the results are for, since each use has its own order and page size */
export const foundContactsKey = (use: 'by-name' | 'for-group' | 'with-account', q: string) =>
  [...contactsKey, use, q] as const;

export const importsKey = ['contact-imports'] as const;

/** One entry of the reader's address book. */
export const contactQuery = (contact_id: string) =>
  queryOptions({
    queryKey: [...contactsKey, 'one', contact_id],
    queryFn: ({ signal }) => sdk.contacts.getContact({ path: { contact_id }, signal }),
  });
