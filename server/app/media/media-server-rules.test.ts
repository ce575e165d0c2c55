/** The media server imports nothing from the service and has its own copies of two rules: they must decide alike. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { networkOf } from '../../../sfu/client-network.ts';
import { hasValidHost } from '../../../sfu/signal/http-host.ts';
import { acceptHost } from '../../kernel/http/http-host.ts';
import { networksOf } from '../../kernel/load/client-address.ts';

const addresses = ['203.0.113.7', '203.0.113.7:443', '::ffff:203.0.113.7', '::1', '2001:db8:12:3456::1', '2001:db8::'];
addresses.push('[2001:db8:12:3456::1]:443', '1:2:3:4:5:6:7:8', 'fe80::1', 'unknown', '');

const hosts = [
  [],
  [''],
  ['localhost'],
  ['LOCALHOST:80'],
  ['localhost:443'],
  ['[::1]:80'],
  ['local host'],
  ['a@b'],
  ['a', 'b'],
];
const targets = [
  '/',
  'http://localhost/',
  'http://localhost:80/',
  'https://localhost:443',
  'http://[::1]/',
  'http://a@b/',
];

describe('the service and the media server', () => {
  it.each(addresses)('count “%s” in the same network', (address) => {
    expect(networkOf(address)).toBe(networksOf(address)[0]);
  });

  it.each(hosts.map((fields) => [fields]))('accept requests with the hosts %j alike', (fields) => {
    for (const url of targets) {
      for (const httpVersion of ['1.0', '1.1']) {
        const rawHeaders = fields.flatMap((host) => ['Host', host]);
        const request = { url, httpVersion, rawHeaders, headers: { host: fields[0] } };
        // acceptHost changes the target of its request.
        const [one, other] = [{ ...request }, { ...request }] as unknown as [IncomingMessage, IncomingMessage];
        expect([url, httpVersion, hasValidHost(one)]).toEqual([url, httpVersion, acceptHost(other)]);
      }
    }
  });
});
