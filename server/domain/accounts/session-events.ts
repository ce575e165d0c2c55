/** Events about sessions, and about the sessions of guests. */
import { event } from '../../kernel/event.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';

export const sessionRevoked = event(
  'session.revoked',
  'A session has ended; for a guest, the widget was disabled or the call has ended. Its sockets are closed.',
  object({ session_id: Type.Union([idOf('ses'), idOf('wid'), idOf('conf')]) }),
);

/** Invalidates the session cache of every node; clients may refetch their account. */
export const sessionChanged = event(
  'session.changed',
  'The permissions of the session have changed; for guests of a call, one of them has withdrawn.',
  object({ session_id: Type.Union([idOf('ses'), idOf('conf')]) }),
);
