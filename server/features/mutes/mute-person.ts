import { publicUserJson, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import { emitUnsubscribed } from '../../domain/social/follows.ts';
import { hideNotifications } from '../../domain/notifications/hidden-notifications.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { maySeeUser } from '../../domain/visibility/people.ts';
import { sql } from '../../kernel/database/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found, invalid } from '../../kernel/errors.ts';
import { Mute, PersonPath, presentMute } from './schemas.ts';

export const mutePerson = endpoint({
  id: 'mutePerson',
  route: 'PUT /people/{user_id}/mute',
  summary: 'Mute a person',
  description:
    'Their statuses disappear from your feed and you get no notifications of what they do. Calls and direct messages still arrive. They are not notified.',
  extension: true,
  path: PersonPath,
  reply: Mute,
  async run({ path: { user_id }, caller, services, ...change }) {
    const { db, id, now } = change;
    if (user_id === caller.user_id) invalid({ user_id: 'cannot be yourself' });
    // A concurrent notification about them is either not written, or hidden below.
    await lockPair(db, caller.user_id, user_id);
    const { user } = found(
      await db.maybe<{ user: PublicUserRow }>(sql`
        select ${publicUserJson('u')} as user from users u where u.id = ${user_id} and ${maySeeUser(caller.user_id)}`),
    );
    const mute_id = id('mute');
    const mute = await db.one<{ id: string; created_at: Date }>(sql`
      insert into mutes (id, user_id, muted_id, created_at) values (${mute_id}, ${caller.user_id}, ${user_id}, ${now})
      on conflict (user_id, muted_id) do update set user_id = excluded.user_id returning id, created_at`);
    if (mute.id === mute_id) {
      await emitUnsubscribed(change, caller.user_id, user_id);
      await hideNotifications(change, sql`a.user_id = ${caller.user_id} and a.actor_id = ${user_id}`);
    }
    return presentMute({ ...mute, user }, services.public_url);
  },
});
