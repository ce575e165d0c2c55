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

/**
 * Revokes the tokens of some guests of a call or widget, whose rows no longer admit them or are deleted: on this node
 * with the commit, on every other within a second; their sockets are closed. Its other guests keep theirs.
 * @param place_id the call or widget
 */
export function revokeGuestTokens(
  { emit, afterCommit, services }: Pick<Change, 'emit' | 'afterCommit' | 'services'>,
  place_id: string,
  guests: { id: string }[],
): void {
  if (guests.length === 0) return;
  for (const { id } of guests) emit(sessionRevoked, [`user:${id}`], { session_id: place_id });
  // The nodes have cached tokens by the place: they read those of its other guests again.
  emit(sessionChanged, [`session:${place_id}`], { session_id: place_id });
  afterCommit(() => services.sessions.drop(place_id));
}
