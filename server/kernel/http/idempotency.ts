/**
 * Idempotency keys: a repeat of a request answers with the first answer and does nothing. As with Stripe
 * (https://docs.stripe.com/api/idempotent_requests) the first answer counts once the rule began to run, refusals too:
 * what was refused once is not done by a repeat. What was refused before that (the body, the token) is not kept, and
 * neither is what asks for a repeat: 429 and 5xx.
 */
import { createHash } from 'node:crypto';
import { sql, type Queryable } from '../database/database.ts';
import type { Endpoint } from '../endpoint.ts';
import { ApiError, fail, invalid } from '../errors.ts';
import { change, type Change, type Services } from '../services.ts';

export const retention_s = 24 * 60 * 60;

/** What makes a request the same one: the account, the operation, the key; and the body that must not differ. */
export type IdempotencyKey = { owner: string; operation: string; key_hash: string; body_hash: string };

export type StoredAnswer = { status: number; body: string };

/** The key of one request. The key itself is not kept. */
function idempotencyKey(owner: string, operation: string, key: string, body: (string | Uint8Array)[]): IdempotencyKey {
  const hash = (parts: (string | Uint8Array)[]) => {
    const sum = createHash('sha256');
    for (const part of parts) sum.update(part);
    return sum.digest('base64url');
  };
  return { owner, operation, key_hash: hash([key]), body_hash: hash(body) };
}

/** The key under which a request came; undefined without one, and where the operation heeds none. */
export function keyOf(
  endpoint: Endpoint,
  { header, owner, body }: { header: string | string[] | undefined; owner: string; body: (string | Uint8Array)[] },
): IdempotencyKey | undefined {
  if (header === undefined || endpoint.idempotent === false || !endpoint.route.startsWith('POST ')) return undefined;
  if (typeof header !== 'string' || header.length < 1 || header.length > 255)
    invalid({ 'Idempotency-Key': 'must have 1 to 255 characters' });
  return idempotencyKey(owner, endpoint.id, header, body);
}

/**
 * The first answer under a key, if there is one.
 * @throws ApiError `idempotency_key_reused` when that was for another body
 */
export async function selectAnswer(db: Queryable, key: IdempotencyKey, now: Date): Promise<StoredAnswer | undefined> {
  const row = await db.maybe<StoredAnswer & { body_hash: string }>(sql`
    select status, reply as body, body_hash from idempotency
    where owner = ${key.owner} and operation = ${key.operation} and key_hash = ${key.key_hash}
      and created_at > ${new Date(now.getTime() - retention_s * 1000)}`);
  if (row && row.body_hash !== key.body_hash) fail('idempotency_key_reused');
  return row;
}

/**
 * Holds a key until the end of the transaction. A crash lets go of it with everything else.
 * @throws ApiError `request_in_progress` when another request holds it
 */
async function lockKey(db: Queryable, key: IdempotencyKey): Promise<void> {
  const { locked } = await db.one<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`${key.owner}\n${key.operation}\n${key.key_hash}`}, 0)) as locked`);
  if (!locked) fail('request_in_progress', { retry_after_s: 1 });
}

/** Keeps the first answer, in the transaction of the change itself. */
async function insertAnswer(db: Queryable, key: IdempotencyKey, answer: StoredAnswer, now: Date): Promise<void> {
  await db.run(sql`
    insert into idempotency (owner, operation, key_hash, body_hash, status, reply, created_at)
    values (${key.owner}, ${key.operation}, ${key.key_hash}, ${key.body_hash}, ${answer.status}, ${answer.body}, ${now})
    on conflict (owner, operation, key_hash) do update
      set body_hash = excluded.body_hash, status = excluded.status, reply = excluded.reply, created_at = excluded.created_at`);
}

/** Whether a refusal is an answer of the rule itself, to be given again. */
export function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 429;
}

/**
 * Runs a rule under a key: once, whatever comes at the same time or later.
 * @returns the answer, and whether it is a repeat
 * @throws ApiError what the rule refuses, after keeping it; `idempotency_key_reused`, `request_in_progress`
 */
export async function runUnderKey(
  services: Services,
  key: IdempotencyKey,
  rule: (change: Change) => Promise<StoredAnswer>,
): Promise<StoredAnswer & { repeated: boolean }> {
  return change(services, async (one, checkpoint) => {
    await lockKey(one.db, key);
    const first = await selectAnswer(one.db, key, one.now);
    if (first) return { ...first, repeated: true };
    const undo = checkpoint();
    try {
      const made = await rule(one);
      await one.settle();
      await insertAnswer(one.db, key, made, one.now);
      return { ...made, repeated: false };
    } catch (error) {
      if (!isAnswer(error)) throw error;
      if (!error.commit) await undo();
      await insertAnswer(one.db, key, { status: error.status, body: JSON.stringify(error.envelope()) }, one.now);
      throw error.kept();
    }
  });
}
