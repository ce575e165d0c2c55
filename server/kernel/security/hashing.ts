/** Password hashing: argon2id (RFC 9106) at OWASP's recommended cost. */
import { hash, verify } from '@node-rs/argon2';
import type { Limiter } from '../services.ts';

/** 19 MiB, two passes, one lane: OWASP Password Storage Cheat Sheet. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash that no password matches, so that an unknown account takes as much time as a wrong password. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$D7n5a26Aa5As9klkuh4uhQ$DeFArcfChAA8epTRuCVq5iLPa+fr8elbweyaoxUs0Fk';

/** The stored form of a password. @throws ApiError `unavailable` when too many are being hashed */
export async function hashPassword(hashing: Limiter, password: string): Promise<string> {
  return hashing(() => hash(password, cost));
}

/** Whether a password is correct; without a stored hash it is not, in the same time. */
export async function isPassword(hashing: Limiter, stored: string | undefined, password: string): Promise<boolean> {
  return hashing(async () => {
    const right = await verify(stored ?? decoy, password).catch(() => false);
    return right && stored !== undefined;
  });
}
