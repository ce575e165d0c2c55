/**
 * Idempotency keys: a replayed request gets the first answer and has no effect. As with Stripe
 * (https://docs.stripe.com/api/idempotent_requests), the first answer is stored once the handler has started, refusals
 * included. Refusals before that (of the body, the token) are not stored, and neither are answers that invite a retry:
 * 429 and 5xx.
 *
 * A body may contain a password, and an answer the address of a feed. So bodies are stored as a hash under the service's
 * key, since a password is easily guessed from a plain hash, and answers are encrypted: the database and its backups,
 * without the key, reveal neither.
 */
import { createHash } from 'node:crypto';
import { isRefused, sql, type Queryable, type Sql } from '../database/database.ts';
import type { Endpoint } from '../endpoint.ts';
import { ApiError, fail, invalid } from '../errors.ts';
import type { Secrets } from '../security/secret.ts';
import { change, type Change, type Services } from '../services.ts';

/** How long the answer to a request with an idempotency key is stored. */
export const retention_s = 24 * 60 * 60;

/** What identifies a request: account, operation and key; and the hash of the body, which must not differ. */
export type IdempotencyKey = { owner: string; operation: string; key_hash: string; body_hash: string };

/** The answer that a repeated request gets; its body as JSON. */
export type StoredAnswer = { status: number; body: string };

/** The stored form of a key: only its hash under the service's secret is stored. */
function idempotencyKey(
  secrets: Secrets,
  { owner, operation }: Pick<IdempotencyKey, 'owner' | 'operation'>,
  key: string,
  body: (string | Uint8Array)[],
): IdempotencyKey {
  const hash = (parts: (string | Uint8Array)[]) => {
    const sum = createHash('sha256');
    for (const part of parts) sum.update(part);
    return secrets.sign('idempotency', sum.digest('base64url'));
  };
  return { owner, operation, key_hash: hash([key]), body_hash: hash(body) };
}

/** The idempotency key of a request; undefined without one, or where the operation does not support keys. */
export function keyOf(
  secrets: Secrets,
  endpoint: Endpoint,
  { header, owner, body }: { header: string | string[] | undefined; owner: string; body: (string | Uint8Array)[] },
): IdempotencyKey | undefined {
  if (header === undefined || endpoint.idempotent === false || !endpoint.route.startsWith('POST ')) return undefined;
  if (typeof header !== 'string' || header.length < 1 || header.length > 255)
    invalid({ 'Idempotency-Key': 'must have 1 to 255 characters' });
  return idempotencyKey(secrets, { owner, operation: endpoint.id }, header, body);
}

/** The stored answer of a key, if any. @throws ApiError `idempotency_key_reused` when it belongs to another body */
export async function selectAnswer(
  { secrets }: Pick<Services, 'secrets'>,
  db: Queryable,
  key: IdempotencyKey,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const row = await db.maybe<{ status: number; sealed: string; body_hash: string }>(sql`
    select status, reply as sealed, body_hash from idempotency
    where owner = ${key.owner} and operation = ${key.operation} and key_hash = ${key.key_hash}
      and created_at > ${new Date(now.getTime() - retention_s * 1000)}`);
  if (row && row.body_hash !== key.body_hash) fail('idempotency_key_reused');
  return row && { status: row.status, body: secrets.unseal(row.sealed) as string };
}

/** Whether a key could be locked until the end of the transaction, so that a crash releases it. */
const tryLock = ({ owner, operation, key_hash }: IdempotencyKey): Sql =>
  sql`pg_try_advisory_xact_lock(hashtextextended(${`${owner}\n${operation}\n${key_hash}`}, 0))`;

/** @throws ApiError `request_in_progress` when another request has locked the key */
async function lockKey(db: Queryable, key: IdempotencyKey): Promise<void> {
  const { locked } = await db.one<{ locked: boolean }>(sql`select ${tryLock(key)} as locked`);
  if (!locked) fail('request_in_progress', { retry_after_s: 1 });
}

/** @param sealed the body of the answer, encrypted */
const insertion = (
  { owner, operation, key_hash, body_hash }: IdempotencyKey,
  { status, sealed }: { status: number; sealed: string },
  now: Date,
): Sql => sql`
  insert into idempotency (owner, operation, key_hash, body_hash, status, reply, created_at)
  values (${owner}, ${operation}, ${key_hash}, ${body_hash}, ${status}, ${sealed}, ${now})
  on conflict (owner, operation, key_hash) do update
    set body_hash = excluded.body_hash, status = excluded.status, reply = excluded.reply, created_at = excluded.created_at`;

/** Stores the first answer, in the transaction of the change itself. */
async function insertAnswer(
  { db, now, services: { secrets, limits } }: Pick<Change, 'db' | 'now' | 'services'>,
  key: IdempotencyKey,
  { status, body }: StoredAnswer,
): Promise<void> {
  const sealed = secrets.seal(body);
  await db.run(insertion(key, { status, sealed }, now));
  if (sealed.length > large_bytes) await boundAnswers(db, key.owner, limits.idempotency_bytes);
}

/** Answers above this size are bounded; the index of them (`0038-large-answers.sql`) states it again. */
const large_bytes = 8192;

/**
 * Deletes the oldest large answers of an account above a total size: its requests are limited in number, but a few are
 * answered with megabytes, such as the preview of an import, and each new key would store another copy.
 */
const boundAnswers = (db: Queryable, owner: string, max_bytes: number): Promise<number> =>
  db.run(sql`
    delete from idempotency i using (
      select operation, key_hash, sum(octet_length(reply)) over (order by created_at desc, operation, key_hash) as total
      from idempotency where owner = ${owner} and octet_length(reply) > 8192) large
    where i.owner = ${owner} and (i.operation, i.key_hash) = (large.operation, large.key_hash)
      and large.total > ${max_bytes}::bigint`);

/**
 * Deletes answers that are too old to be replayed, at most `portion`.
 * @returns how many were deleted
 */
export const deleteOldAnswers = (db: Queryable, now: Date, portion: number): Promise<number> =>
  db.run(sql`
    delete from idempotency i using (
      select owner, operation, key_hash from idempotency where created_at < ${new Date(now.getTime() - retention_s * 1000)}
      order by created_at limit ${portion}::int) old
    where (i.owner, i.operation, i.key_hash) = (old.owner, old.operation, old.key_hash)`);

/** Whether an error is a refusal by the handler itself, which is stored and replayed. */
export function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 429;
}

/**
 * Runs a handler under an idempotency key: exactly once, for concurrent and later requests alike.
 * @param is_transactional whether all that the handler changes, budgets aside, is in its transaction
 * @returns the answer, and whether it is a replay
 * @throws ApiError what the handler refuses, after storing it; `idempotency_key_reused`, `request_in_progress`
 */
export async function runUnderKey(
  services: Services,
  key: IdempotencyKey,
  rule: (change: Change) => Promise<StoredAnswer>,
  is_transactional = false,
): Promise<StoredAnswer & { repeated: boolean }> {
  const { made, refused } = is_transactional ? await runUnderNewKey(services, key, rule) : {};
  if (made) return { ...made, repeated: false };
  return change(services, async (one, checkpoint) => {
    await lockKey(one.db, key);
    const first = await selectAnswer(services, one.db, key, one.now);
    if (first) return { ...first, repeated: true };
    const undo = checkpoint();
    try {
      // Not run again: what its budgets were charged is not in the transaction that was rolled back.
      if (refused) throw refused;
      const answer = await rule(one);
      await one.flush();
      await insertAnswer(one, key, answer);
      return { ...answer, repeated: false };
    } catch (error) {
      if (!isAnswer(error)) throw error;
      if (!error.commit) await undo();
      await insertAnswer(one, key, { status: error.status, body: JSON.stringify(error.envelope()) });
      throw error.kept();
    }
  });
}

const known_key = 'an idempotency key is in use';

/** Thrown to roll a transaction back; the next transaction stores the refusal. */
class RolledBack extends Error {
  readonly refused: ApiError | undefined;

  constructor(refused?: ApiError) {
    super();
    this.refused = refused;
  }
}

/**
 * Runs a handler under an idempotency key that is assumed to be new; the statement that stores the answer verifies that.
 * So the key costs no round trip, but a replay has the whole change rolled back.
 * @returns the answer, or the refusal, which is not stored yet; neither when the handler has to run again: the key is known
 *   or in use, the refusal commits changes, or the answer is large
 */
async function runUnderNewKey(
  services: Services,
  key: IdempotencyKey,
  rule: (change: Change) => Promise<StoredAnswer>,
): Promise<{ made?: StoredAnswer; refused?: ApiError }> {
  // A replay uses the handler's own budgets before it is known as one: above them, its stored answer is looked up.
  const isOverBudget = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429;
  const rollBack = (error: unknown) => {
    throw isAnswer(error) || isOverBudget(error) ? new RolledBack(error.commit ? undefined : error) : error;
  };
  try {
    const answer = await change(services, async (one) => {
      one.awaitAtCommit(one.db.run(sql`select refuse(${known_key}) where not ${tryLock(key)}`));
      const made = await rule(one).catch(rollBack);
      const sealed = services.secrets.seal(made.body);
      if (sealed.length > large_bytes) throw new RolledBack();
      const since = new Date(one.now.getTime() - retention_s * 1000);
      one.awaitAtCommit(
        one.db.run(sql`
          with stored as (
            ${insertion(key, { status: made.status, sealed }, one.now)} where idempotency.created_at <= ${since} returning 1)
          select refuse(${known_key}) where not exists (select from stored)`),
      );
      return made;
    }).catch(rollBack);
    return { made: answer };
  } catch (error) {
    if (error instanceof RolledBack) return error.refused ? { refused: error.refused } : {};
    if (isRefused(error, known_key)) return {};
    throw error;
  }
}
