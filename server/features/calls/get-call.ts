import { refuseUntilOpen } from '../../domain/calendar/event-calls.ts';
import { withoutHiddenPeople } from '../../domain/calls/state/call-people.ts';
import { refuseEmptyRoom } from '../../domain/calls/lasting-rooms.ts';
import { Call, JoinCode, presentCall, selectOpenCall } from '../../domain/calls/state/calls.ts';
import { callerIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { object } from '../../kernel/schema.ts';

export const getCall = endpoint({
  id: 'getCall',
  route: 'GET /calls/{join_code}',
  gate: 'guest',
  summary: 'Get a call',
  description:
    'For an event or a lasting room without a live call: 409 `not_open_yet`, with `may_start` in `error` if requesting a grant starts it, and `call_title` for whoever may.',
  extension: true,
  path: object({ join_code: JoinCode }),
  reply: Call,
  errors: ['not_open_yet'],
  async run({ caller, path, db, now, services }) {
    const viewer_id = callerIdOf(caller);
    const call = await selectOpenCall(db, path.join_code, viewer_id);
    if (!call || (call.state === 'ended' && call.event_id)) await refuseUntilOpen(db, path.join_code, viewer_id, now);
    if (!call || (call.state === 'ended' && call.room_id)) await refuseEmptyRoom(db, path.join_code, viewer_id);
    return presentCall(await withoutHiddenPeople(db, found(call), viewer_id), { id: viewer_id, services });
  },
});
