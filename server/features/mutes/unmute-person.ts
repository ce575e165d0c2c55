import { emitSubscribed } from '../../domain/social/follows.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { PersonPath } from './schemas.ts';
import { deleteMute, updateHiddenNotifications } from './queries.ts';

export const unmutePerson = endpoint({
  id: 'unmutePerson',
  route: 'DELETE /people/{user_id}/mute',
  summary: 'Unmute a person',
  description:
    'Their statuses appear in your feed again, including older ones. Notifications from the muted period are not sent later.',
  extension: true,
  path: PersonPath,
  async run({ path: { user_id }, caller, ...change }) {
    const { db } = change;
    await lockPair(db, caller.user_id, user_id);
    if (!(await deleteMute(db, caller.user_id, user_id))) fail('not_found');
    await emitSubscribed(change, caller.user_id, user_id);
    await updateHiddenNotifications(change, caller.user_id, user_id);
  },
});
