/**
 * Who looks: the person or guest that every rule of visibility is asked for.
 * Each rule is an SQL predicate, so that a list is a full page and a single load answers
 * "absent" and "hidden" with the same missing row. A viewer without an account is the empty text, which is nobody's
 * identifier. Aliases are fixed: `t` a tag, `u` its owner, the author or the account itself, `s` a status, `g` a group,
 * `d` one person's side of a thread, `fi` a file, `e` a calendar event, `c` a call.
 */
import { sql, type Sql } from '../../kernel/database/database.ts';
import { type Caller, callerIdOf, type Guest } from '../../kernel/caller.ts';
import type { Services } from '../../kernel/services.ts';

/** Who looks, when, and with what addresses are signed. */
export type Viewer = { id: string; now: Date; services: Services };

/** The viewer of a request; nobody when it came without an account. */
export function viewerOf({
  caller,
  now,
  services,
}: {
  caller: Caller | Guest | undefined;
  now: Date;
  services: Services;
}): Viewer {
  return { id: caller ? callerIdOf(caller) : '', now, services };
}

/** A viewer in a predicate: an identifier, or a column that holds one. */
export type ViewerId = string | Sql;

/**
 * Ends a look for one row that is made for each of many: without it the planner reads all rows of the one who is the same
 * each time, be they the million followers of somebody famous, to look the others up among them.
 */
export const one_by_one = sql`offset 0`;
