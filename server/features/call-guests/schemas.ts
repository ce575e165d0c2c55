import { JoinCode } from '../../domain/calls/state/calls.ts';
import { CallGuest, max_waiting } from '../../domain/calls/link-guests.ts';
import { object, Type } from '../../kernel/schema.ts';

export const JoinCodePath = object({ join_code: JoinCode });

export const WaitingGuests = object({ items: Type.Array(CallGuest, { maxItems: max_waiting }) });
