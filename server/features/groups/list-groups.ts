import { Group, presentGroup } from '../../domain/contacts/groups.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery, toPage } from '../../kernel/page.ts';
import { listOf } from '../../kernel/schema.ts';
import { selectGroups } from './queries.ts';

export const listGroups = endpoint({
  id: 'listGroups',
  route: 'GET /groups',
  summary: 'List your groups',
  description: 'Groups you own or belong to, newest first.',
  query: PageQuery('grp'),
  reply: listOf(Group),
  async run({ query, db, ...input }) {
    const viewer = viewerOf(input);
    const rows = await selectGroups(db, viewer.id, query);
    return toPage(rows, query, (row) => presentGroup(row, viewer));
  },
});
