/** What nodes and clients are told of sessions, and of what guests have in their place. */
import { event } from '../../kernel/event.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';

export const sessionRevoked = event(
  'session.revoked',
  'A session has ended, or for a guest the widget was switched off or the call has ended; its sockets close.',
  object({ session_id: Type.Union([idOf('ses'), idOf('wid'), idOf('conf')]) }),
);

/** Read by every node's cache; clients may refetch their account on it. */
export const sessionChanged = event(
  'session.changed',
  'What the session may do has changed.',
  object({ session_id: idOf('ses') }),
);
