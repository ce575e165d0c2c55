/** Events about sessions, and about the sessions of guests. */
import { event } from '../../kernel/event.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';

export const sessionRevoked = event(
  'session.revoked',
  'A session has ended, or for a guest the widget was switched off or the call has ended; its sockets close.',
  object({ session_id: Type.Union([idOf('ses'), idOf('wid'), idOf('conf')]) }),
);

/** Invalidates the session cache of every node; clients may refetch their account. */
export const sessionChanged = event(
  'session.changed',
  'What the session may do has changed, or for guests of a call that one of them withdrew.',
  object({ session_id: Type.Union([idOf('ses'), idOf('conf')]) }),
);
