import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressOf } from './client-address.ts';

describe('the address of a client', () => {
  const of = (forwarded: string | undefined, trust_proxy: boolean) =>
    addressOf(
      {
        headers: { 'x-forwarded-for': forwarded },
        socket: { remoteAddress: '10.1.1.1' },
      } as unknown as IncomingMessage,
      trust_proxy,
    );

  it('is that of its connection, or what the nearest proxy has added', () => {
    expect(of('192.0.2.1', false)).toBe('10.1.1.1');
    expect(of(undefined, true)).toBe('10.1.1.1');
    expect(of('', true)).toBe('10.1.1.1');
    expect(of('192.0.2.1, 2001:db8::1', true)).toBe('2001:db8::1');
  });
});
