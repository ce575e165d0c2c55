import { presentUser } from '../../domain/accounts/accounts.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, optional, text } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { selectMessageFamily, selectReactions } from './queries.ts';
import { MessageId, MessageReaction, ReactionAuthorId } from './schemas.ts';

export const listMessageReactions = endpoint({
  id: 'listMessageReactions',
  route: 'GET /messages/{message_id}/reactions',
  summary: 'List who reacted to a message',
  description: 'Of any chat that you can read, newest first.',
  gate: 'guest',
  extension: true,
  path: object({ message_id: MessageId }),
  query: object({
    emoji: optional(text(1, 40, 'Only these reactions.')),
    ...offsetQuery,
    before_id: optional({
      ...ReactionAuthorId,
      description: 'Only reactions older than that of this account or guest.',
    }),
  }),
  reply: listOf(MessageReaction),
  async run({ path: { message_id }, query, caller, db, ...input }) {
    const viewer_id = callerIdOf(caller);
    const viewer = viewerOf({ caller, ...input });
    const family = found(await selectMessageFamily(db, message_id, viewer_id));
    const rows = await selectReactions(db, { family, message_id }, viewer_id, query);
    return toPage(rows, query, ({ user, reacted_at, ...row }) => ({
      ...row,
      user: user && presentUser(user, viewer),
      reacted_at: wireTime(reacted_at),
    }));
  },
});
