import { once } from 'node:events';
import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { createOutboundAgent, isOutboundUrl, isPublicAddress } from './outbound.ts';

describe('outbound addresses', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'ff02::1',
    'localhost',
    '',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each(['8.8.8.8', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it('allow only https to public hosts', () => {
    const refused = [
      'http://push.example.org/x',
      'https://user:secret@push.example.org/x',
      'https://push.example.org/x#part',
      'https://127.0.0.1/x',
      'https://2130706433/x',
      'https://0x7f.1/x',
      'https://[::1]/x',
      'https://[::ffff:10.0.0.1]/x',
      'https://localhost/x',
      'https://push.localhost./x',
      'https://metadata.google.internal/x',
      'https://intranet/x',
      'https://push.example.org:22/x',
      'https://push.example.org:25/x',
      'https://push.example.org:5432/x',
      'file:///etc/passwd',
      'push',
    ];
    expect(refused.filter((url) => isOutboundUrl(url))).toEqual([]);
    expect(isOutboundUrl('https://push.example.org:8443/x?y=z')).toBe(true);
    expect(isOutboundUrl('https://127.0.0.1:8443/x', true)).toBe(true);
    expect(isOutboundUrl('https://10.0.0.1/x', true)).toBe(false);
  });

  it('are checked after name resolution when connecting', async () => {
    const agent = createOutboundAgent();
    const outgoing_request = request({ host: 'localhost', port: 9, agent, path: '/' }).end();
    const [error] = await once(outgoing_request, 'error');
    expect(String(error)).toContain('localhost is not a host of the public internet');
    agent.destroy();
  });
});
