import { purgeStatuses } from '../../domain/social/purge-statuses.ts';
import { requireStatus, statusDeleted } from '../../domain/social/statuses.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { purgeStatus } from './jobs.ts';
import { markDeleted } from './queries.ts';

export const deleteStatus = endpoint({
  id: 'deleteStatus',
  route: 'DELETE /statuses/{post_id}',
  summary: 'Delete a status',
  description: 'Its replies are deleted with it.',
  path: object({ post_id: idOf('post') }),
  errors: ['forbidden'],
  async run({ path, ...change }) {
    const viewer = viewerOf(change);
    const status = await requireStatus(change.db, path.post_id, viewer);
    if (status.author.id !== viewer.id) fail('forbidden');
    if (await purgeStatuses(change, [status.id])) {
      await markDeleted(change.db, status.id, change.now);
      change.enqueue(purgeStatus, { status_id: status.id });
    }
    change.emit(statusDeleted, [`stream:${status.stream_id}`, `user:${viewer.id}`], { id: status.id });
  },
});
