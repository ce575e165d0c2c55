import { lockCall, moveParticipant, settleCall } from '../../domain/calling.ts';
import { JoinCode, partOf, requireCall } from '../../domain/conferences.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';

export const declineCall = endpoint({
  id: 'declineCall',
  route: 'POST /calls/{join_code}/decline',
  summary: 'Decline a call that rings',
  extension: true,
  path: object({ join_code: JoinCode }),
  errors: ['already_decided'],
  async run({ caller, path, services, ...change }) {
    const { id } = await requireCall(change.db, path.join_code, caller.user_id);
    const part = partOf(await lockCall(change, id), caller.user_id);
    if (part?.state === 'declined') return;
    if (!part || !(await moveParticipant(change, part.id, ['ringing'], 'declined'))) fail('already_decided', { message: 'This call does not ring for you.' });
    await settleCall(change, services, id, true);
  },
});
