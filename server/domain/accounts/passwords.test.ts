import { describe, expect, it } from 'vitest';
import { isListedPassword } from '../../kernel/security/common-passwords.ts';
import { isCommonPassword } from './passwords.ts';

describe('common passwords', () => {
  it.each([
    'password',
    'Password1',
    'PASSWORD123!',
    'iloveyou1',
    'q1w2e3r4t5',
    'zaq12wsx',
    'football1',
    'liverpool1',
    'trustno1',
    'trustno1!',
    '!!blink182',
    'passw0rd',
    'starwars',
    'charlie1',
    'samantha',
    'mercedes',
    'corvette',
    'bigdaddy',
    'scooter1',
    'jennifer1',
    'midnight',
    'blink182',
    '11111111',
    'abababab',
    '87654321',
    'qwertyuiop',
  ])('include %s', async (password) => expect(await isCommonPassword(password)).toBe(true));

  it.each(['four calm words here', 'a quiet river bend', 'Tr0ub4dor&3xkcd', 'vIe7-qLop-22Za', 'пароль длинный и свой'])(
    'do not include %s',
    async (password) => expect(await isCommonPassword(password)).toBe(false),
  );

  it('are looked up in the list of a package', async () => {
    expect(await Promise.all(['sunshine', 'computer', 'baseball'].map(isListedPassword))).toEqual([true, true, true]);
  });
});
