import { replyDeleted, statusDeleted, statusPosted, statusUpdated } from '../../domain/social/statuses.ts';
import { feature } from '../../kernel/endpoint.ts';
import { deleteReply } from './delete-reply.ts';
import { deleteStatus } from './delete-status.ts';
import { editStatus } from './edit-status.ts';
import { replyPosted } from './events.ts';
import { getFeed } from './get-feed.ts';
import { getStatus } from './get-status.ts';
import { purgeStatus } from './jobs.ts';
import { lifecycle } from './lifecycle.ts';
import { likeStatus } from './like-status.ts';
import { listReplies } from './list-replies.ts';
import { listStatuses } from './list-statuses.ts';
import { postReply } from './post-reply.ts';
import { postStatus } from './post-status.ts';
import { unlikeStatus } from './unlike-status.ts';

export const statuses = feature({
  area: 'statuses',
  title: 'Statuses and feed',
  endpoints: [
    getFeed,
    listStatuses,
    postStatus,
    getStatus,
    editStatus,
    deleteStatus,
    listReplies,
    postReply,
    deleteReply,
    likeStatus,
    unlikeStatus,
  ],
  events: [statusPosted, statusUpdated, statusDeleted, replyPosted, replyDeleted],
  jobs: [purgeStatus],
  lifecycle,
});
