import { describe, expect, it } from 'vitest';
import { normaliseNumber, regionOf } from './phone.ts';

describe('regionOf', () => {
  it('is that of the number, of the locale without one, and nothing when neither tells', () => {
    expect(regionOf('+4915112345678', 'en-US')).toBe('DE');
    expect(regionOf('+14165550123', 'de')).toBe('CA');
    expect(regionOf(null, 'pt-BR')).toBe('BR');
    expect(regionOf(null, 'en')).toBeUndefined();
    expect(regionOf(null, 'en-US-US')).toBeUndefined();
  });

  it('takes one of the countries that share a code, so that dialling as they do is understood', () => {
    expect(normaliseNumber('020 7946 0000', regionOf('+447700900123', 'en'))).toBe('+442079460000');
    expect(normaliseNumber('020 7946 0000')).toBeUndefined();
  });
});
