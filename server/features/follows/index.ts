import { feature } from '../../kernel/endpoint.ts';
import { followAccepted, followRequested } from '../../domain/social/follow-requests.ts';
import { countFollowRequests } from './count-follow-requests.ts';
import { decideFollowRequest } from './decide-follow-request.ts';
import { listFollowRequests } from './list-follow-requests.ts';
import { listFollowers } from './list-followers.ts';
import { listFollows } from './list-follows.ts';
import { listOutgoingFollowRequests } from './list-outgoing-follow-requests.ts';
import { removeFollower } from './remove-follower.ts';
import { lifecycle } from './lifecycle.ts';

export const follows = feature({
  area: 'follows',
  title: 'Tags and follow graph',
  endpoints: [
    listFollows,
    listFollowers,
    removeFollower,
    listFollowRequests,
    countFollowRequests,
    listOutgoingFollowRequests,
    decideFollowRequest,
  ],
  events: [followRequested, followAccepted],
  lifecycle,
});
