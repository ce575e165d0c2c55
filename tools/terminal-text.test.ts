import { expect, it } from 'vitest';
import { formatForTerminal } from './terminal-text.ts';

it('escapes what a terminal would obey or show in another order, and nothing else', () => {
  const value = { body: 'a\u001b[2J\u009b2J\u007f\u202etxt\u2066 é ☎' };
  const text = formatForTerminal(value);
  // oxlint-disable-next-line no-control-regex -- these are what must not be left
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(text).toContain('é ☎');
  expect(JSON.parse(text)).toEqual(value);
});
