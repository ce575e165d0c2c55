import { describe, expect, it } from 'vitest';
import { normaliseNumber, regionOf, requireTextable } from './phone.ts';

describe('requireTextable', () => {
  it('rejects satellite, global network, personal and premium numbers with the field', () => {
    expect(requireTextable('mobile_number', '+1 415 555 0100')).toBe('+14155550100');
    for (const number of [
      '+870773111632',
      '+8835100012345',
      '+882 13300655',
      '+499001234567',
      '+979123456789',
      '+447012345678',
    ])
      expect(() => requireTextable('mobile_number', number), number).toThrow(
        expect.objectContaining({ fields: { mobile_number: 'cannot receive a code by SMS' } }),
      );
  });
});

describe('regionOf', () => {
  it('returns the region of the number, else of the locale, else undefined', () => {
    expect(regionOf('+4915112345678', 'en-US')).toBe('DE');
    expect(regionOf('+14165550123', 'de')).toBe('CA');
    expect(regionOf(null, 'pt-BR')).toBe('BR');
    expect(regionOf(null, 'en')).toBeUndefined();
    expect(regionOf(null, 'en-US-US')).toBeUndefined();
  });

  it('chooses one of the countries that share a code, so that national numbers are parsed', () => {
    expect(normaliseNumber('020 7946 0000', regionOf('+447700900123', 'en'))).toBe('+442079460000');
    expect(normaliseNumber('020 7946 0000')).toBeUndefined();
  });
});
