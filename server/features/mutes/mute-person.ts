import { emitUnsubscribed } from '../../domain/social/follows.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found, invalid } from '../../kernel/errors.ts';
import { Mute, PersonPath, presentMute } from './schemas.ts';
import { insertMute, selectMutable, updateHiddenNotifications } from './queries.ts';

export const mutePerson = endpoint({
  id: 'mutePerson',
  route: 'PUT /people/{user_id}/mute',
  summary: 'Mute a person',
  description:
    'Their statuses disappear from your feed and you get no notifications of what they do. Calls and direct messages still arrive. They are not notified.',
  extension: true,
  path: PersonPath,
  reply: Mute,
  async run({ path: { user_id }, caller, ...change }) {
    const { db, id, now } = change;
    if (user_id === caller.user_id) invalid({ user_id: 'cannot be yourself' });
    // A concurrent notification about them is either not written, or hidden below.
    await lockPair(db, caller.user_id, user_id);
    const { user } = found(await selectMutable(db, user_id, caller.user_id));
    const mute_id = id('mute');
    const mute = await insertMute(db, { id: mute_id, user_id: caller.user_id, muted_id: user_id, created_at: now });
    if (mute.id === mute_id) {
      await emitUnsubscribed(change, caller.user_id, user_id);
      await updateHiddenNotifications(change, caller.user_id, user_id);
    }
    return presentMute({ ...mute, user }, change);
  },
});
