/**
 * What a deleted account leaves in the database: every column that refers to an account is checked, and each remaining
 * one has a reason.
 */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCrowd, addStatuses, crowdId } from '../../samples/crowd.ts';
import { requireAccount } from '../../../domain/accounts/accounts.ts';
import { revokeSessions } from '../../../domain/sessions/sessions.ts';
import { endCallsOf } from '../../../domain/calls/leave-calls.ts';
import { deleteAccountContent } from '../../../features/me/rules/delete-account.ts';
import { eraseAccount } from '../../../features/me/queries.ts';
import { change as inChange } from '../../../kernel/services.ts';
import { popular_user, insertRelatedRows } from '../../samples/crowd-rows.ts';
import { createWorld, type World } from '../../world/world.ts';

const in_history = 'the call remains in the history of the others, who see a deleted user';
const in_threads = 'the thread and its messages remain for the other, who sees a deleted user';
const cancelled = 'a closed request remains in the list of the other, without its message';

/** Columns that still refer to a deleted account, and why. */
const remaining: Record<string, string> = {
  'abuse_reports.accused_id': 'the operator decides about a report even after the deletion',
  'abuse_reports.reporter_id': 'the operator decides about a report even after the deletion',
  'call_legs.dialled_by': in_history,
  'call_messages.author_id': in_history,
  'call_participants.invited_by': in_history,
  'call_participants.phone_known_to': in_history,
  'call_participants.user_id': in_history,
  'calls.host_id': in_history,
  'calls.started_by': in_history,
  'dm_members.peer_id': in_threads,
  'dm_members.user_id': in_threads,
  'dm_messages.sender_id': in_threads,
  'dm_threads.high_id': in_threads,
  'dm_threads.initiator_id': in_threads,
  'dm_threads.low_id': in_threads,
  'files.owner_id': 'an hourly job removes the file with its bytes; it cannot be opened before',
  'follow_requests.owner_id': cancelled,
  'follow_requests.user_id': cancelled,
  'held_tag_names.owner_id': 'the name is reserved, so that it cannot be taken over at once',
  'inbox_messages.from_user_id': 'a received message remains with its recipient',
  'invites.accepted_by': 'the invite remains in the list of its sender',
  'presence.user_id': 'it is removed with the connection, which ends with the session',
  'subscriptions.user_id': 'payments remain in the accounting',
  'tags.owner_id': 'the name is reserved, so that it cannot be taken over at once',
  'users.invited_by': 'it is not visible once the account is deleted',
};

/** Values that a table's constraints require. */
const required_values: Record<string, Record<string, unknown>> = {
  invites: { state: 'accepted' },
  // A running one ends with its call.
  recordings: { state: 'ready' },
  grid_members: { contact_id: crowdId('con', 7) },
  push_tokens: { session_id: 'user_id-sessions' },
  // An older one is treated as that of a dead node.
  presence: { seen_at: '2100-01-01' },
};

describe('a deleted account', () => {
  let world: World;
  let db: pg.Pool;
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000' } });
    db = world.app.services.db.native as unknown as pg.Pool;
    await addCrowd(db as never, { users: 3000, follows: 30_000, reader_follows: 90, statuses: 3000 });
    await addStatuses(db as never, 1, 3000, 3000);
    await insertRelatedRows(db as never);
    await db.query(`update dm_threads set initiator_id = '${popular_user}' where id = '${crowdId('thr', 3)}'`);
  });
  afterAll(() => world.close());

  /** Columns that refer to accounts, directly or through another table. */
  async function columns(): Promise<{ name: string; table: string; column: string }[]> {
    const { rows } = await db.query<{ table: string; column: string }>(`
      with recursive refers as (
        select c.conrelid, at.own, c.confrelid, at.other
        from pg_constraint c, unnest(c.conkey, c.confkey) as at (own, other) where c.contype = 'f'),
      found as (
        select conrelid, own from refers where confrelid = 'users'::regclass
        union
        select r.conrelid, r.own from found f join refers r on r.confrelid = f.conrelid and r.other = f.own)
      select f.conrelid::regclass::text as table, a.attname as column
      from found f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.own order by 1, 2`);
    return rows.map(({ table, column }) => ({ name: `${table}.${column}`, table, column }));
  }

  /** Inserts a row that refers to the account in one column, with minimal values in the required others. */
  async function insertReference(table: string, column: string): Promise<void> {
    const { rows } = await db.query<{ name: string; type: string; closed: string | null }>(
      `
      select a.attname as name, format_type(a.atttypid, null) as type, (
        select pg_get_constraintdef(c.oid) from pg_constraint c
        where c.contype = 'c' and c.conrelid = a.attrelid and c.conkey = array[a.attnum] limit 1) as closed
      from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
        and (a.attname = $2 or a.attname = any($3) or a.attnotnull and not a.atthasdef and a.attidentity = '')`,
      [table, column, Object.keys(required_values[table] ?? {})],
    );
    const values = rows.map(({ name, type, closed }) => {
      if (name === column) return popular_user;
      const given = required_values[table]?.[name];
      if (given !== undefined) return given;
      const [, first] = /'([^']+)'/.exec(closed ?? '') ?? [];
      if (first !== undefined) return first;
      if (type.startsWith('timestamp')) return '2026-01-01';
      if (type === 'date') return '2026-01-01';
      if (type.startsWith('json')) return '[]';
      if (type.endsWith('[]')) return '{}';
      if (type === 'boolean') return false;
      return /int|numeric|double/.test(type) ? 1 : `${column}-${table}`;
    });
    const client = await db.connect();
    try {
      // The rows that it refers to need not exist: that would require a row of every kind in a hundred tables.
      await client.query("begin; set local session_replication_role = 'replica'");
      await client.query(
        `insert into ${table} (${rows.map(({ name }) => `"${name}"`).join(', ')}) values (${values.map((_, at) => `$${at + 1}`).join(', ')})`,
        values,
      );
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw new Error(`${table}.${column}`, { cause: error });
    } finally {
      client.release();
    }
  }

  async function count(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { name, table, column } of await columns()) {
      const { rows } = await db.query<{ n: number }>(`select count(*)::int as n from ${table} where ${column} = $1`, [
        popular_user,
      ]);
      if (rows[0] && rows[0].n > 0) counts[name] = rows[0].n;
    }
    return counts;
  }

  it('is named only where others keep what they received', async () => {
    const referring = await count();
    for (const { name, table, column } of await columns())
      if (!(name in referring)) await insertReference(table, column);
    expect(Object.keys(await count())).toEqual((await columns()).map(({ name }) => name));
    await inChange(world.app.services, async (change) => {
      await endCallsOf(change, popular_user);
      await revokeSessions(change, popular_user);
      await eraseAccount(change.db, await requireAccount(change.db, popular_user), change.now);
      await deleteAccountContent(change, popular_user);
    });
    await world.settle();
    const { rows: failed } = await db.query(`
      select task_identifier, last_error from graphile_worker.jobs where last_error is not null`);
    expect(failed).toEqual([]);
    expect(Object.keys(await count()).toSorted()).toEqual(Object.keys(remaining).toSorted());
  });
});
