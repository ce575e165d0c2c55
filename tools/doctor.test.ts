import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readConfig } from '../server/app/config/config.ts';
import {
  checkAddresses,
  checkPorts,
  checkPublicUrl,
  checkRelays,
  checkTranslation,
  isPrivate,
} from './doctor/checks.ts';

import { checkSecrets, examineExposure } from './doctor/exposure.ts';

const read = (environment: Record<string, string>) => readConfig({ PATH: '', ...environment }, '/');
const levels = (findings: { level: string }[]) => findings.map(({ level }) => level);

test('isPrivate recognises private, link-local and loopback addresses', () => {
  const inside = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.9.9',
    '192.168.0.9',
    '169.254.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
  ];
  expect(inside.filter(isPrivate)).toEqual(inside);
  expect(['203.0.113.5', '172.32.0.1', '100.128.0.1', '2001:db8::1'].filter(isPrivate)).toEqual([]);
});

test('checkAddresses and checkPublicUrl report errors in the addresses that clients receive', async () => {
  const outside = { PUBLIC_URL: 'https://calls.invalid' };
  expect(checkAddresses(read({ ...outside, MEDIA_NODE_IP: '203.0.113.5, fd00::1' }))).toMatchObject([{ level: 'ok' }]);
  expect(checkAddresses(read({ ...outside, MEDIA_NODE_IP: '192.168.0.9' }))).toMatchObject([
    { level: 'fail', text: expect.stringContaining('MEDIA_NODE_IP') },
  ]);
  expect(levels(checkAddresses(read({})))).toEqual(['warn']);
  const findings = await checkPublicUrl(read(outside));
  expect(findings.map(({ text }) => text).join(' ')).toMatch(/MEDIA_URL.*not known to DNS.*does not answer/);
  expect(levels(await checkPublicUrl(read({ ...outside, MEDIA_URL: 'wss://calls.invalid/media' })))).toEqual([
    'fail',
    'warn',
  ]);
  expect(levels(await checkPublicUrl(read({})))).toEqual(['warn']);
});

test('checkPorts distinguishes a free port from one that another program uses', async () => {
  const used = createServer().listen(0, '127.0.0.1');
  const udp = createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([once(used, 'listening'), once(udp, 'listening')]);
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const port = String((free.address() as AddressInfo).port);
  free.close();
  await once(free, 'close');
  const environment = {
    PORT: port,
    MEDIA_PORT: String((used.address() as AddressInfo).port),
    MEDIA_TCP_PORT: port,
    MEDIA_UDP_PORT: String(udp.address().port),
  };
  expect(levels(await checkPorts(read(environment)))).toEqual(['fail', 'ok', 'fail']);
  expect(levels(await checkPorts(read({ ...environment, MEDIA_UDP_PORT: port, MEDIA_TCP_PORT: 'off' })))).toEqual([
    'fail',
    'ok',
    'warn',
  ]);
  const textsOf = async (more: object) =>
    (await checkPorts(read({ PORT: port, MEDIA_PORT: port, MEDIA_TCP_PORT: port, ...more }))).map(({ text }) => text);
  // Behind a proxy, signalling passes through it, and media bypasses it.
  expect((await textsOf({}))[0]).toMatch(/MEDIA_PORT.*Let it through from outside/);
  expect((await textsOf({ TRUST_PROXY: 'on' })).slice(0, 2)).toEqual([
    expect.stringMatching(/MEDIA_PORT.*Let the proxy alone reach it/),
    expect.stringMatching(/MEDIA_TCP_PORT.*Let it through from outside/),
  ]);
  used.close();
  udp.close();
});

test('checkRelays and checkTranslation warn without configuration, and an invalid relay address is rejected', async () => {
  expect(levels(await checkRelays(read({})))).toEqual(['warn']);
  expect(levels(await checkTranslation(read({})))).toEqual(['warn']);
  expect(() => read({ TURN_URLS: 'turn:turn.example.org' })).toThrow('TURN_SECRET');
  expect(() => read({ TURN_URLS: 'http://turn.example.org' })).toThrow('TURN_URLS');
  expect(() => read({ MEDIA_NODE_IP: 'calls.example.org' })).toThrow('MEDIA_NODE_IP');
});

test('examineExposure reports what strangers could reach or read', () => {
  const open = {
    PUBLIC_URL: 'https://calls.example.org',
    SERVICE_KEY: 'a key of at least thirty-two characters',
    DATA_DIR: '/nowhere',
  };
  const providers = { SMTP_URL: 'smtp://127.0.0.1:25' };
  const levelOf = (environment: Record<string, string>) =>
    Object.fromEntries(
      examineExposure(read({ ...open, ...environment }), { ...open, ...environment }).map(({ level, text }) => [
        text.split(' ').slice(0, 2).join(' '),
        level,
      ]),
    );
  expect(levelOf({})).toMatchObject({ 'The console': 'fail', 'PUBLIC_URL is': 'fail', 'SERVICE_KEY is': 'ok' });
  expect(levelOf({ ...providers, CONSOLE: 'off', TRUST_PROXY: 'on' })).toEqual({
    'The console': 'ok',
    'Addresses are': 'ok',
    'SERVICE_KEY is': 'ok',
    'Rate budgets': 'ok',
  });
  expect(levelOf({ TRUST_PROXY: 'on', HOST: '0.0.0.0' })).toMatchObject({ 'TRUST_PROXY is': 'warn' });
  expect(levelOf({ THROTTLE_FACTOR: '1000' })).toMatchObject({ 'THROTTLE_FACTOR is': 'fail' });
  expect(levelOf({ DATABASE_URL: 'postgresql://a@db.example.org/x' })).toMatchObject({ 'DATABASE_URL goes': 'warn' });
  expect(levelOf({ DATABASE_URL: 'postgresql://a@db.example.org/x?sslmode=verify-full' })).not.toHaveProperty([
    'DATABASE_URL goes',
  ]);
  expect(levelOf({ SMTP_URL: 'smtp://mail.example.org:587' })).toMatchObject({ 'SMTP_URL goes': 'warn' });
  for (const SMTP_URL of ['smtps://mail.example.org', 'smtp://mail.example.org:587?requireTLS=true'])
    expect(levelOf({ SMTP_URL })).not.toHaveProperty(['SMTP_URL goes']);
  expect(levelOf({ REDIS_URL: 'redis://10.0.0.5:6379' })).not.toHaveProperty(['REDIS_URL goes']);
});

test('checkSecrets fails when other accounts can read the keys', () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'asterism-doctor-'));
  try {
    mkdirSync(join(data_dir, 'keys'), { mode: 0o700 });
    const found = () => checkSecrets(read({ DATA_DIR: data_dir })).map(({ level }) => level);
    expect(found()).toEqual(['warn']);
    chmodSync(join(data_dir, 'keys'), 0o750);
    expect(found()).toEqual(['fail', 'warn']);
  } finally {
    rmSync(data_dir, { recursive: true });
  }
});
