/** Postal addresses as text. */
import { expect, it } from 'vitest';
import { formatAddress } from './postal-address.ts';

const blank = { label: 'home', street: '', locality: '', region: '', postal_code: '', country: '' };

it('is formatted as on a letter, with the postal code before the city', () => {
  const address = { ...blank, street: 'Lindenweg 4', postal_code: '10115', locality: 'Berlin', country: 'Germany' };
  expect(formatAddress(address)).toBe('Lindenweg 4\n10115 Berlin\nGermany');
});

it('has no empty lines', () => {
  expect(formatAddress({ ...blank, region: 'Bavaria' })).toBe('Bavaria');
  expect(formatAddress(blank)).toBe('');
});
