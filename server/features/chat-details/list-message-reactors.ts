import { presentUser } from '../../domain/accounts/accounts.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object, optional, text } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { selectFamily, selectReactors } from './queries.ts';
import { MessageId, Reactor, ReactorId } from './schemas.ts';

export const listMessageReactors = endpoint({
  id: 'listMessageReactors',
  route: 'GET /messages/{message_id}/reactions',
  summary: 'List who reacted to a message',
  description: 'Of any chat that you can read, newest first.',
  gate: 'guest',
  extension: true,
  path: object({ message_id: MessageId }),
  query: object({
    emoji: optional(text(1, 40, 'Only these reactions.')),
    ...offsetQuery,
    before_id: optional({ ...ReactorId, description: 'Only reactions older than that of this account or guest.' }),
  }),
  reply: listOf(Reactor),
  async run({ path: { message_id }, query, caller, db, ...input }) {
    const viewer_id = callerIdOf(caller);
    const viewer = viewerOf({ caller, ...input });
    const family = found(await selectFamily(db, message_id, viewer_id));
    const rows = await selectReactors(db, { family, message_id }, viewer_id, query);
    return toPage(rows, query, ({ user, reacted_at, ...row }) => ({
      ...row,
      user: user && presentUser(user, viewer),
      reacted_at: wireTime(reacted_at),
    }));
  },
});
