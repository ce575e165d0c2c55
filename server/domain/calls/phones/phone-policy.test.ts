import { describe, expect, it } from 'vitest';
import { requireDialable } from './phone-policy.ts';

describe('dialable numbers', () => {
  const config = { phone_countries: new Set(['US', 'GB', 'DE', 'IT']) };

  it.each([
    ['+44 7011 234567', 'regular phone', 'a personal number'],
    ['+49 11833', 'regular phone', 'a directory'],
    ['+870 773111632', 'regular phone', 'a satellite'],
    ['+881 612345678', 'regular phone', 'a satellite'],
    ['+882 13300655', 'regular phone', 'a global network'],
    ['+883 5100012345', 'regular phone', 'a global network'],
    ['+1 500 555 0006', 'regular phone', 'a personal number'],
    ['+44 7700 900123', 'regular phone', 'an unassigned number'],
    ['+49 900 1234567', 'premium', 'a premium number'],
    ['+246 3701234', 'country', 'Diego Garcia'],
    ['+247 62345', 'country', 'Ascension'],
    ['+44 1481 960194', 'country', 'Guernsey, which shares a code with Great Britain'],
    ['+1 876 210 1234', 'country', 'Jamaica, which shares a code with the United States'],
    ['+53 55555555', 'country', 'a country that is not allowed'],
  ])('do not include %s (%s): %#', (number, text) => {
    expect(() => requireDialable(config, 'number', number)).toThrow(
      expect.objectContaining({ fields: { number: expect.stringContaining(text) } }),
    );
  });

  it.each(['+14155550100', '+442079460000', '+4915112345678', '+18005551212'])('include %s', (number) => {
    expect(requireDialable(config, 'number', number)).toBe(number);
  });
});
