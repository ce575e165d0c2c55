import { endpoint } from '../../kernel/endpoint.ts';
import { idOf, moment, nullable, object, Type } from '../../kernel/schema.ts';
import { wireTimeOrNull } from '../../kernel/time.ts';
import { selectPresence } from './queries.ts';

export const getPresence = endpoint({
  id: 'getPresence',
  route: 'GET /presence/{user_id}',
  summary: 'Get when someone was last online',
  description: 'Of people you follow who follow you back; anyone else looks as if they had never been online.',
  extension: true,
  path: object({ user_id: idOf('usr') }),
  reply: object({
    online: Type.Boolean(),
    last_seen_at: nullable(moment, {
      description: 'Null unless both of you have `last_seen` on, and if it was before you switched it on.',
    }),
  }),
  async run({ path, caller, db }) {
    const row = await selectPresence(db, path.user_id, caller.user_id);
    return { online: row?.online ?? false, last_seen_at: wireTimeOrNull(row?.last_seen_at ?? null) };
  },
});
