/** Password hashing: argon2id (RFC 9106) at OWASP's recommended cost. */
import { hash, verify } from '@node-rs/argon2';
import type { FairQueue } from '../load/fair-queue.ts';
import type { Groups } from '../load/turns.ts';
import type { Limits } from '../load/limits.ts';

type Cost = Pick<Limits, 'hashing_memory_kib' | 'hashing_passes'>;
/** What hashes a few at a time, and how much each costs. */
type Hashing = { hashing: Pick<FairQueue, 'run'>; limits: Cost };

/** Argon2id with one lane. */
const costOf = ({ hashing_memory_kib, hashing_passes }: Cost) => {
  return { algorithm: 2, memoryCost: hashing_memory_kib, timeCost: hashing_passes, parallelism: 1 };
};

/** A hash that no password matches, so that an unknown account takes as much time as a wrong password. */
const decoyOf = ({ hashing_memory_kib, hashing_passes }: Cost) =>
  `$argon2id$v=19$m=${hashing_memory_kib},t=${hashing_passes},p=1$D7n5a26Aa5As9klkuh4uhQ$DeFArcfChAA8epTRuCVq5iLPa+fr8elbweyaoxUs0Fk`;

/**
 * The stored form of a password.
 * @param client in whose turn: an account, or without one the networks of the address
 * @throws ApiError `unavailable` when too many are being hashed
 */
export async function hashPassword(
  { hashing, limits }: Hashing,
  client: string | Groups,
  password: string,
): Promise<string> {
  return hashing.run(client, () => hash(password, costOf(limits)));
}

/** Whether a password is correct; without a stored hash it is not, in the same time. */
export async function isPassword(
  { hashing, limits }: Hashing,
  client: string | Groups,
  stored: string | undefined,
  password: string,
): Promise<boolean> {
  return hashing.run(client, async () => {
    const right = await verify(stored ?? decoyOf(limits), password).catch(() => false);
    return right && stored !== undefined;
  });
}
