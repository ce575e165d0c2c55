import { openers, PublicLink } from './rules/link-kinds.ts';
import { LinkToken, requireLink } from '../../domain/public-links/links.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';

export const getPublicLink = endpoint({
  id: 'getPublicLink',
  route: 'GET /public-links/{token}',
  summary: 'Open a public link without an account',
  extension: true,
  gate: 'public',
  path: object({ token: LinkToken }),
  reply: PublicLink,
  errors: ['gone'],
  async run({ path, db, now, services }) {
    const link = await requireLink(db, path.token, now);
    const open = openers[link.kind] ?? fail('gone');
    return open(db, link, services);
  },
});
