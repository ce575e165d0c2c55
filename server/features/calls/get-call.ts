import { Call, JoinCode, presentCall, requireCall, sightOf } from '../../domain/conferences.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';

export const getCall = endpoint({
  id: 'getCall',
  route: 'GET /calls/{join_code}',
  summary: 'A call that you may see',
  extension: true,
  path: object({ join_code: JoinCode }),
  reply: Call,
  async run({ caller, path, db, services }) {
    return presentCall(await requireCall(db, path.join_code, caller.user_id), sightOf(services), caller.user_id);
  },
});
