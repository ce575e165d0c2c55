/** Events about sessions, and about the sessions of guests. */
import { sql } from '../../kernel/database/database.ts';
import { event } from '../../kernel/event.ts';
import { idOf, object, Type } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';

export const sessionRevoked = event(
  'session.revoked',
  'A session has ended; for a guest, the widget was disabled or no longer allows their page, the call has ended, or they were declined or removed or have withdrawn. Its sockets are closed.',
  object({ session_id: Type.Union([idOf('ses'), idOf('wid'), idOf('conf')]) }),
);

/** Invalidates the session cache of every node; clients may refetch their account. */
export const sessionChanged = event(
  'session.changed',
  'The permissions of the session have changed; for guests of a call or widget, the tokens of some of them were revoked.',
  object({ session_id: Type.Union([idOf('ses'), idOf('wid'), idOf('conf')]) }),
);

/** Invalidates the cached sessions of a user, when data that the gate checks has changed. */
export async function invalidateSessions(change: Change, user_id: string): Promise<void> {
  const rows = await change.db.many<{ id: string }>(
    sql`select id from sessions where user_id = ${user_id} and revoked_at is null`,
  );
  for (const { id } of rows) change.emit(sessionChanged, [`session:${id}`], { session_id: id });
  change.afterCommit(() => {
    for (const { id } of rows) change.services.sessions.drop(id);
  });
}
