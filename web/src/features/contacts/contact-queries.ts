import type { Reply } from '@asterism/sdk';

export type Contact = Reply<'contacts', 'listContacts'>['items'][number];

export const contactsKey = ['contacts'] as const;

export const importsKey = ['contact-imports'] as const;
