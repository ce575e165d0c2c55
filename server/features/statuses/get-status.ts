import { presentStatus, Status, withoutEdits } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { selectStatus } from './queries.ts';

export const getStatus = endpoint({
  id: 'getStatus',
  route: 'GET /statuses/{post_id}',
  summary: 'Get a status',
  description: 'Its author gets the edit history as well.',
  extension: true,
  path: object({ post_id: idOf('post') }),
  reply: Status,
  async run({ path, db, ...input }) {
    const viewer = viewerOf(input);
    const row = found(await selectStatus(db, path.post_id, viewer));
    return presentStatus(row.author.id === viewer.id ? row : withoutEdits(row), viewer);
  },
});
