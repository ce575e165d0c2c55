import type { Reply } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { insertItem, removeItem } from '../../lists.ts';

export type Comment = Reply<'profiles', 'listComments'>['items'][number];

export const commentsKey = (tag_id: string) => ['comments', tag_id] as const;

/** Shows a comment of which the stream tells: its author's devices and the owner of the profile hear of it. */
export function cacheComment(queries: QueryClient, comment: Comment): void {
  insertItem(queries, commentsKey(comment.tag_id), comment);
}

/** Takes a comment away that is gone. */
export function dropComment(queries: QueryClient, tag_id: string, id: string): void {
  removeItem(queries, commentsKey(tag_id), id);
}
