/**
 * The viewer: the person or guest for whom every visibility rule, an SQL predicate, is evaluated. A viewer without an
 * account is the empty string, which is not the identifier of any account.
 *
 * Aliases in all predicates:
 *
 * - `t` a tag, `u` its owner, the author or the account itself
 * - `s` a status, `g` a group, `d` one person's side of a thread
 * - `fi` a file, `e` a calendar event, `c` a call
 */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { type Caller, callerIdOf, type Guest, sessionIdOf } from '../../kernel/caller.ts';
import type { Services } from '../../kernel/services.ts';

/**
 * Who is viewing, when, and the services that sign addresses. What is signed in a session, or for a guest in a widget or
 * call, is valid until that ends; events of threads have none, since all devices of the viewer receive them.
 */
export type Viewer = { id: string; session_id?: string; now: Date; services: Services };

/** Any viewer, of what looks the same to everybody: a change is one as well. */
export type AnyViewer = Pick<Viewer, 'services'>;

/** The viewer of a request; the empty one when it has no account. */
export function viewerOf({
  caller,
  now,
  services,
}: {
  caller: Caller | Guest | undefined;
  now: Date;
  services: Services;
}): Viewer {
  if (!caller) return { id: '', now, services };
  return { id: callerIdOf(caller), session_id: sessionIdOf(caller), now, services };
}

/**
 * The viewer of an event for several people, or for devices that fetch what they show: what is signed for it opens nothing,
 * and names no session.
 */
export const everyone = ({ now, services }: Pick<Viewer, 'now' | 'services'>): Viewer => ({ id: '', now, services });

/** A viewer in a predicate: an identifier, or a column with one. */
export type ViewerId = string | Sql;

/**
 * Ends a correlated lookup of one row: without it the planner may read all rows of the side that is constant, such as
 * the million followers of a celebrity.
 */
export const row_by_row = sql`offset 0`;
