import { requireAccount } from '../../domain/accounts.ts';
import { JoinCode } from '../../domain/conferences.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, text } from '../../kernel/schema.ts';
import { ChatMessage, chatMessage, hearers, presentMessage, requirePart } from './schemas.ts';

export const postCallChat = endpoint({
  id: 'postCallChat',
  route: 'POST /calls/{join_code}/chat',
  summary: 'Call chat post',
  path: object({ join_code: JoinCode }),
  body: object({ body: text(1, 4000) }),
  reply: ChatMessage,
  status: [201],
  errors: ['conflict'],
  async run({ caller, path, body, db, id, now, emit, services }) {
    const { call, part } = await requirePart(db, path.join_code, caller.user_id);
    if (part.state !== 'joining' && part.state !== 'joined') fail('conflict', { message: 'Only those in the call can write in its chat.' });
    const author = await requireAccount(db, caller.user_id);
    const row = { id: id('chat'), kind: 'text' as const, body: body.body, created_at: now, author };
    await db.run(sql`
      insert into call_messages (id, call_id, author_id, kind, body, created_at)
      values (${row.id}, ${call.id}, ${author.id}, ${row.kind}, ${row.body}, ${now})`);
    const message = presentMessage(row, services.public_url);
    emit(chatMessage, hearers(call), { conference_id: call.id, join_code: call.join_code, message });
    return message;
  },
});
