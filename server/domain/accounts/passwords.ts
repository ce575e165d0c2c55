/** Password rules after NIST SP 800-63B: minimum length and a blocklist, no composition rules. */
import { isListedPassword } from '../../kernel/security/common-passwords.ts';
import { invalid } from '../../kernel/errors.ts';

const common_stems = [
  'password',
  'passw0rd',
  'p@ssw0rd',
  'p@ssword',
  'qwerty',
  'qwertz',
  'azerty',
  'asdfgh',
  'zxcvbn',
  'letmein',
  'welcome',
  'iloveyou',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'basketball',
  'superman',
  'batman',
  'starwars',
  'monkey',
  'dragon',
  'master',
  'shadow',
  'michael',
  'jennifer',
  'jordan',
  'hunter',
  'trustno1',
  'whatever',
  'computer',
  'internet',
  'samsung',
  'google',
  'freedom',
  'charlie',
  'donald',
  'admin',
  'administrator',
  'changeme',
  'default',
  'secret',
  'login',
  'abc123',
  'abcdefgh',
  'qazwsx',
  '1q2w3e4r',
  '1qaz2wsx',
  'asterism',
  'liverpool',
  'chelsea',
  'arsenal',
  'pokemon',
  'naruto',
  'hello',
  'test',
  'guest',
  'root',
  'access',
  'killer',
  'soccer',
  'hockey',
  'summer',
  'winter',
  'spring',
  'autumn',
  'loveme',
];
const rows = ['01234567890', '09876543210', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/**
 * Whether a password is among the first that attackers try: on the list of common ones, unchanged or with digits and
 * symbols around it; a common word altered in this way; a keyboard sequence; one repeated character.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const folded = password.toLowerCase();
  const core = folded.replaceAll(/^[^a-z]+|(?<![^a-z])[^a-z]+$/g, '');
  const tail_stripped = folded.replace(/(?<![\d!@#$%^&*._-])[\d!@#$%^&*._-]+$/, '');
  const unsigned = folded.replaceAll(/^[^a-z\d]+|(?<![^a-z\d])[^a-z\d]+$/g, '');
  if (new Set(folded).size <= 2) return true;
  if (common_stems.some((stem) => [folded, core, tail_stripped, unsigned].includes(stem) || folded === stem + stem))
    return true;
  const is_listed = await Promise.all([folded, tail_stripped, unsigned].map(isListedPassword));
  if (is_listed.includes(true)) return true;
  return rows.some((row) => row.includes(folded) || (row + row).includes(folded)) || /^(\d{1,4})\1+$/.test(folded);
}

/** Refuses an easily guessed password. @throws ApiError `validation_failed` that names the field */
export async function requireGoodPassword(field: string, password: string, username: string): Promise<void> {
  if (await isCommonPassword(password)) invalid({ [field]: 'is too common: choose one that is harder to guess' });
  if (username && password.toLowerCase().includes(username.toLowerCase()))
    invalid({ [field]: 'must not contain the username' });
}
