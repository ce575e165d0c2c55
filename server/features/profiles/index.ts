import { commentDeleted, commentPosted } from '../../domain/social/comments.ts';
import { feature } from '../../kernel/endpoint.ts';
import { deleteComment } from './delete-comment.ts';
import { findPerson } from './find-person.ts';
import { getPerson } from './get-person.ts';
import { getProfile } from './get-profile.ts';
import { getProfileLive } from './get-profile-live.ts';
import { listComments } from './list-comments.ts';
import { postComment } from './post-comment.ts';
import { lifecycle } from './lifecycle.ts';

export const profiles = feature({
  area: 'profiles',
  title: 'Public profiles',
  endpoints: [getProfile, getProfileLive, listComments, postComment, deleteComment, findPerson, getPerson],
  events: [commentPosted, commentDeleted],
  lifecycle,
});
