import { deleteReactionsOf } from '../../domain/chat/reactions-and-edits.ts';
import { purgeThreads } from '../../domain/messages/threads.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount(change, user_id, portion) {
    const threads = await purgeThreads(change, user_id, portion);
    const may_have_reactions = await deleteReactionsOf(change.db, 'dm', user_id, portion);
    return threads >= portion || may_have_reactions;
  },
};
