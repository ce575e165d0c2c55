import { Call, media_values, presentCall, privacy_values } from '../../domain/calls/state/calls.ts';
import { requireCallable } from '../../domain/calls/start/callees.ts';
import { createCall } from '../../domain/calls/start/start-call.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { object, oneOf, optional } from '../../kernel/schema.ts';
import { selectGrid } from './queries.ts';

export const callGrid = endpoint({
  id: 'callGrid',
  route: 'POST /grid/calls',
  summary: 'Call all favourites at once',
  description: 'Favourites who cannot be reached remain `idle`.',
  throttle: 'call',
  body: optional(object({ privacy: optional(oneOf(...privacy_values)), media: optional(oneOf(...media_values)) })),
  reply: Call,
  status: [201],
  errors: ['nobody_to_call', 'call_in_progress', 'plan_limit_reached'],
  async run({ caller, body = {}, ...change }) {
    const contacts = await selectGrid(change.db, caller.user_id);
    const callees = await requireCallable(change, contacts, caller.user_id);
    if (callees.length === 0) fail('nobody_to_call', { message: 'None of your favourites can be called.' });
    const call = await createCall(change, caller, { ...body, callees, of_grid: true });
    return presentCall(call, viewerOf({ caller, ...change }));
  },
});
