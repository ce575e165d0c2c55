import type { Reply } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { insertItem, removeItem } from '../../data/lists.ts';
import { commentsKey } from '../../data/queries/profile-queries.ts';

export type Comment = Reply<'profiles', 'listComments'>['items'][number];

/** Adds a comment from the stream, which its author's devices and the owner of the profile receive. */
export function cacheComment(queries: QueryClient, comment: Comment): void {
  insertItem(queries, commentsKey(comment.tag_id), comment);
}

/** Removes a deleted comment. */
export function dropComment(queries: QueryClient, tag_id: string, id: string): void {
  removeItem(queries, commentsKey(tag_id), id);
}
