/** Pages of messages of one chat, a thread or a group, in requests. */
import { invalid } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/id.ts';
import { offsetQuery, type Page } from '../../../kernel/page.ts';
import { idOf, optional } from '../../../kernel/schema.ts';
import { MessageId } from '../schemas.ts';

export const chatPageQuery = {
  thread_id: optional({ ...idOf('thr'), description: 'Of this thread.' }),
  group_id: optional({ ...idOf('grp'), description: 'Of the chat of this group.' }),
  ...offsetQuery,
  before_id: optional({ ...MessageId, description: 'Only items older than this one.' }),
};

type ChatPage = Page & { thread_id?: string; group_id?: string };

/**
 * The chat that a query names.
 * @throws ApiError `validation_failed` unless it names exactly one chat, and as `before_id` a message of such a chat
 */
export function requireChat({
  thread_id,
  group_id,
  before_id,
}: ChatPage): { thread_id: string } | { group_id: string } {
  if (thread_id !== undefined && group_id !== undefined)
    invalid({ group_id: 'cannot be used together with thread_id' });
  const is_there = before_id === undefined || isId(thread_id === undefined ? 'chat' : 'dm', before_id);
  if (!is_there) invalid({ before_id: 'is not a message in this chat' });
  if (thread_id !== undefined) return { thread_id };
  return group_id === undefined ? invalid({ thread_id: 'is required unless group_id is given' }) : { group_id };
}
