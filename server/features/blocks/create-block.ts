import { removeBlockedFromCalls } from '../../domain/calls/leave-calls.ts';
import { endFollowsBetween } from '../../domain/social/follows.ts';
import { endGroupRelations } from '../../domain/contacts/group-invites.ts';
import { clearBetween } from '../../domain/notifications/clear-notifications.ts';
import { endThreadBetween } from '../../domain/messages/threads.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { barReplays } from './events.ts';
import { insertBlock, isBlockable, selectBlock } from './queries.ts';
import { Block, presentBlock } from './schemas.ts';

export const createBlock = endpoint({
  id: 'createBlock',
  route: 'POST /blocks',
  summary: 'Block a person',
  description:
    'Ends follows, requests, group memberships, threads and ringing calls between the two, and hides each from the other. Somebody whom you did not see already looks like a deleted user.',
  body: object({ user_id: idOf('usr') }),
  reply: Block,
  status: [201, 200],
  async run({ body, caller, ...change }) {
    const { db } = change;
    if (body.user_id === caller.user_id) invalid({ user_id: 'cannot be yourself' });
    await lockPair(db, caller.user_id, body.user_id);
    if (!(await isBlockable(db, body.user_id))) invalid({ user_id: 'does not exist' });
    const { fresh, id } = await insertBlock(change, caller.user_id, body.user_id);
    // Before the events of the block itself, which are also replayed.
    if (fresh) barReplays(change, caller.user_id, body.user_id);
    await endFollowsBetween(change, caller.user_id, body.user_id);
    await endGroupRelations(change, caller.user_id, body.user_id);
    if (fresh) await endThreadBetween(change, caller.user_id, body.user_id);
    await removeBlockedFromCalls(change, caller.user_id, body.user_id);
    for (const { blocked } of change.services.lifecycles) await blocked?.(change, caller.user_id, body.user_id);
    await clearBetween(change, caller.user_id, body.user_id);
    return reply(fresh ? 201 : 200, presentBlock(await selectBlock(db, id), change));
  },
});
