import { Call, JoinCode, presentCall, requireCall, sightOf } from '../../domain/conferences.ts';
import { callerIdOf, endpoint } from '../../kernel/endpoint.ts';
import { object } from '../../kernel/schema.ts';

export const getCall = endpoint({
  id: 'getCall',
  route: 'GET /calls/{join_code}',
  gate: 'guest',
  summary: 'A call that you may see',
  extension: true,
  path: object({ join_code: JoinCode }),
  reply: Call,
  async run({ caller, path, db, services }) {
    return presentCall(
      await requireCall(db, path.join_code, callerIdOf(caller)),
      sightOf(services),
      callerIdOf(caller),
    );
  },
});
