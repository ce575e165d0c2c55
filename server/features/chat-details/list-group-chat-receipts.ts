import { presentUser } from '../../domain/accounts/accounts.ts';
import { requireGroupMembership, requireGroupMessage, selectReaders } from '../../domain/chat/group-chats.ts';
import { writerOf } from '../../domain/chat/message-actions.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { wireTime } from '../../kernel/time.ts';
import { hasReceipts, selectReceipts, type ReceiptRow } from './queries.ts';
import { GroupMessagePath, GroupReceipts, receipt_states } from './schemas.ts';

/** What the author of a message learns of one member; a receipt that is switched off looks like one of a delivery. */
function stateOf(
  { receipts, is_read, is_delivered, read_at, delivered_at }: ReceiptRow,
  reads_shown: boolean,
): { state: (typeof receipt_states)[number]; at: Date | null } {
  if (is_read && receipts && reads_shown) return { state: 'read', at: read_at };
  return is_delivered ? { state: 'delivered', at: delivered_at } : { state: 'sent', at: null };
}

export const listGroupChatReceipts = endpoint({
  id: 'listGroupChatReceipts',
  route: 'GET /groups/{group_id}/chat/{message_id}/receipts',
  summary: 'List who has read a group message',
  description: 'Of your own messages: who has read it, and to whom it was delivered.',
  extension: true,
  path: GroupMessagePath,
  reply: GroupReceipts,
  errors: ['forbidden'],
  async run({ path, caller, db, ...input }) {
    const { user_id } = caller;
    const place = await requireGroupMembership(db, path.group_id, user_id);
    const message = await requireGroupMessage(db, place, user_id, path.message_id);
    if (message.deleted_at) fail('not_found');
    if (writerOf(message) !== user_id) fail('forbidden');
    const readers = await selectReaders(db, message.id, user_id);
    const [reads_shown, rows] = await Promise.all([
      hasReceipts(db, user_id),
      selectReceipts(
        db,
        path,
        readers.filter((id) => id !== user_id),
      ),
    ]);
    const viewer = viewerOf({ caller, ...input });
    const items = rows.map((row) => ({ user: presentUser(row.user, viewer), ...stateOf(row, reads_shown) }));
    const rank = ({ state }: (typeof items)[number]) => receipt_states.indexOf(state);
    items.sort((one, other) => rank(one) - rank(other) || (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0));
    return { items: items.map(({ at, ...item }) => ({ ...item, at: at && wireTime(at) })), reads_shown };
  },
});
