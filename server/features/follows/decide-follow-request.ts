import { insertFollow } from '../../domain/social/follows.ts';
import {
  followAccepted,
  FollowRequest,
  followRequested,
  presentOutgoing,
  presentRequest,
  type RequestRow,
} from '../../domain/social/follow-requests.ts';
import { notify } from '../../domain/notifications/notify.ts';
import { clearNotifications } from '../../domain/notifications/clear-notifications.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { idOf, object, oneOf } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { lockDecided, lockRequestOf, updateRequest, selectConcerned } from './queries.ts';

type Act = (change: Change, request: RequestRow) => Promise<void>;

export const decideFollowRequest = endpoint({
  id: 'decideFollowRequest',
  route: 'PATCH /follow-requests/{request_id}',
  summary: 'Answer or cancel a follow request',
  description: 'The owner of the tag accepts, declines, or undoes a denial; the requester cancels.',
  path: object({ request_id: idOf('freq') }),
  body: object({ action: oneOf('accept', 'decline', 'cancel', 'undo') }),
  reply: FollowRequest,
  errors: ['forbidden', 'already_decided', 'gone'],
  async run({ path, body, caller, ...change }) {
    const { db, now } = change;
    // People first, then the request: all code locks relations in this order, so that there are no deadlocks.
    const people = found(await selectConcerned(db, path.request_id));
    await lockPair(db, people.user_id, people.owner_id);
    const request = found(await lockRequestOf(db, path.request_id, caller.user_id));
    const asks = request.user_id === caller.user_id;
    if (asks !== (body.action === 'cancel')) fail('forbidden');
    const open = request.state === 'pending' || (request.state === 'declined' && (asks || body.action === 'undo'));
    if (!open || (body.action === 'undo' && request.state !== 'declined')) fail('already_decided');
    if (request.expires_at <= now) fail('gone');
    await acts[body.action](change, request);
    const decided = found(await lockDecided(db, request.id));
    return asks ? presentOutgoing(decided, change) : presentRequest(decided, change);
  },
});

const acts: Record<'accept' | 'decline' | 'cancel' | 'undo', Act> = {
  async accept(change, request) {
    await updateRequest(change, request.id, 'accepted');
    const { tag_id, owner_id, user_id } = request;
    const follow = await insertFollow(change, { tag_id, owner_id, follower_id: user_id });
    await clearNotifications(change, [request.id]);
    const accepted = { ...request, state: 'accepted' as const, decided_at: change.now };
    change.emit(followAccepted, [`user:${user_id}`], { request: presentRequest(accepted, change) });
    await notify(change, {
      to: user_id,
      kind: 'follow_accepted',
      subject: { type: 'tag', id: tag_id },
      actor_id: owner_id,
      source_id: follow?.id ?? request.id,
    });
  },
  async decline(change, request) {
    await updateRequest(change, request.id, 'declined');
    await clearNotifications(change, [request.id]);
  },
  async cancel(change, request) {
    await updateRequest(change, request.id, 'cancelled');
    if (request.state !== 'pending') return;
    await clearNotifications(change, [request.id]);
    const cancelled = { ...request, state: 'cancelled' as const, decided_at: change.now };
    change.emit(followRequested, [`user:${request.owner_id}`], {
      request: presentRequest(cancelled, change),
    });
  },
  async undo(change, request) {
    await updateRequest(change, request.id, 'pending');
  },
};
