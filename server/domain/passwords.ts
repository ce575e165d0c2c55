/** Passwords: what is refused, and how they are hashed (argon2id, OWASP's recommended cost). */
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { invalid } from '../kernel/errors.ts';
import type { Limiter } from '../kernel/services.ts';

/** 19 MiB, two passes, one lane: OWASP Password Storage Cheat Sheet. */
const cost = { algorithm: 2 as Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of nothing that anybody has, so that an unknown account costs as much time as a wrong password. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$D7n5a26Aa5As9klkuh4uhQ$DeFArcfChAA8epTRuCVq5iLPa+fr8elbweyaoxUs0Fk';

const common_stems = [
  'password', 'passw0rd', 'p@ssw0rd', 'p@ssword', 'qwerty', 'qwertz', 'azerty', 'asdfgh', 'zxcvbn', 'letmein', 'welcome',
  'iloveyou', 'sunshine', 'princess', 'football', 'baseball', 'basketball', 'superman', 'batman', 'starwars', 'monkey',
  'dragon', 'master', 'shadow', 'michael', 'jennifer', 'jordan', 'hunter', 'trustno1', 'whatever', 'computer', 'internet',
  'samsung', 'google', 'freedom', 'charlie', 'donald', 'admin', 'administrator', 'changeme', 'default', 'secret', 'login',
  'abc123', 'abcdefgh', 'qazwsx', '1q2w3e4r', '1qaz2wsx', 'asterism', 'liverpool', 'chelsea', 'arsenal', 'pokemon', 'naruto',
  'hello', 'test', 'guest', 'root', 'access', 'killer', 'soccer', 'hockey', 'summer', 'winter', 'spring', 'autumn', 'loveme',
];
const rows = ['01234567890', '09876543210', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Whether a password is one that guessers try first: a common word with digits and signs around it, a run of keys, one character. */
export function isCommonPassword(password: string): boolean {
  const folded = password.toLowerCase();
  const core = folded.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const tail_stripped = folded.replace(/[\d!@#$%^&*._-]*$/, '');
  if (new Set(folded).size <= 2) return true;
  if (common_stems.some((stem) => [folded, core, tail_stripped].includes(stem) || folded === stem + stem)) return true;
  return rows.some((row) => row.includes(folded) || (row + row).includes(folded)) || /^(\d{1,4})\1+$/.test(folded);
}

/** Refuses a password that is easy to guess. @throws ApiError `validation_failed` naming the field */
export function requireGoodPassword(field: string, password: string, username: string): void {
  if (isCommonPassword(password)) invalid({ [field]: 'is among the most common passwords' });
  if (username && password.toLowerCase().includes(username.toLowerCase())) invalid({ [field]: 'must not hold the username' });
}

/** What is stored of a password. @throws ApiError `unavailable` when too many are being hashed */
export async function hashPassword(hashing: Limiter, password: string): Promise<string> {
  return hashing(() => hash(password, cost));
}

/** Whether a password is the right one; without a stored hash it is not, in the same time. */
export async function isPassword(hashing: Limiter, stored: string | undefined, password: string): Promise<boolean> {
  return hashing(async () => {
    const right = await verify(stored ?? decoy, password).catch(() => false);
    return right && stored !== undefined;
  });
}
