/** Chats that their readers have cleared for themselves. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { idOf, object } from '../../kernel/schema.ts';

export const chatCleared = event(
  'chat.cleared',
  'You cleared a group chat on one of your devices: you read only what was written after this message.',
  object({ group_id: idOf('grp'), up_to_id: idOf('chat') }),
);

/**
 * Up to which message a member `r` has read or cleared a chat: what is newer counts as unread. What was cleared unread stays
 * unread for those whom receipts are shown.
 */
export const seenUpTo = (r: Sql): Sql => sql`coalesce(greatest(${r}.read_up_to, ${r}.cleared_up_to), '')`;
