import { selectRegion } from '../../domain/contacts/contact-drafts.ts';
import { Contact, presentContact } from '../../domain/contacts/contacts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { pageQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, oneOf, optional, text, Type } from '../../kernel/schema.ts';
import { looksLikeNumber, selectContacts } from './queries.ts';

export const listContacts = endpoint({
  id: 'listContacts',
  route: 'GET /contacts',
  summary: 'List your contacts',
  description: 'Newest first, or by name; in either order `before_id` is the last contact of the previous page.',
  query: object({
    q: optional(text(1, 100, 'Part of a name, number, e-mail address or tag name.')),
    favourite: optional(Type.Boolean({ description: 'Only favourites, or only others.' })),
    sort: optional(oneOf('newest', 'name')),
    ...pageQuery('con'),
  }),
  reply: listOf(Contact),
  async run({ caller, query, db, services, consume }) {
    const me = caller.user_id;
    // Each search reads the whole address book.
    if (query.q?.trim()) await consume('contact_search', me);
    const region = looksLikeNumber(query.q ?? '') ? await selectRegion(db, me) : undefined;
    const rows = await selectContacts(db, me, query, region);
    return toPage(rows, query, (row) => presentContact(row, { services }));
  },
});
