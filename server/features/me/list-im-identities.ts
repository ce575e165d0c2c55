import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, object, Type } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { type ImIdentityRow, selectImIdentities } from './queries.ts';

export const ImIdentity = component(
  'ImIdentity',
  object({ id: idOf('im'), network: Type.String(), handle: Type.String(), created_at: moment }),
);

/** A handle on an instant-messaging network as its owner sees it. */
export function presentImIdentity(row: ImIdentityRow) {
  return { id: row.id, network: row.network, handle: row.handle, created_at: wireTime(row.created_at) };
}

export const listImIdentities = endpoint({
  id: 'listImIdentities',
  route: 'GET /me/im-identities',
  summary: 'List your IM handles',
  query: PageQuery('im'),
  reply: listOf(ImIdentity),
  async run({ caller, db, query }) {
    const rows = await selectImIdentities(db, caller.user_id, query);
    return toPage(rows, query, presentImIdentity);
  },
});
