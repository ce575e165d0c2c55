import { lockCall, settleCall } from '../../domain/calling.ts';
import { Call, presentCall, privacy_words, selectActiveCall } from '../../domain/conferences.ts';
import { sql } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { object, oneOf } from '../../kernel/schema.ts';

export const setCallPrivacy = endpoint({
  id: 'setCallPrivacy',
  route: 'PATCH /calls/active',
  summary: 'Set call privacy',
  body: object({ privacy: oneOf(...privacy_words) }),
  reply: Call,
  errors: ['not_found', 'forbidden'],
  async run({ caller, body, services, ...change }) {
    const active = found(await selectActiveCall(change.db, caller.user_id));
    if (active.host_id !== caller.user_id) fail('forbidden', { message: 'Only the host decides who may join.' });
    const call = await lockCall(change, active.id);
    await change.db.run(sql`update calls set privacy = ${body.privacy} where id = ${call.id}`);
    return presentCall(await settleCall(change, services, call.id, call.privacy !== body.privacy), services.public_url);
  },
});
