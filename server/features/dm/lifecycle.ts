import { deleteReactionsOf } from '../../domain/chat/reactions-and-edits.ts';
import type { Lifecycle } from '../../kernel/services.ts';
import { purgeThreads } from './rules/purge-threads.ts';

export const lifecycle: Lifecycle = {
  async accountDeleted({ enqueue }, user_id) {
    enqueue(purgeThreads, { user_id });
  },

  purgeAccount: ({ db }, user_id, portion) => deleteReactionsOf(db, 'dm', user_id, portion),
};
