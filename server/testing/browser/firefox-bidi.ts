/**
 * Started by Playwright in place of Firefox: starts the real one, and is a proxy between the two on WebDriver BiDi.
 * Playwright sets the colour scheme of every window, and Firefox ESR does not support that command yet; it is answered
 * here, so that Playwright can drive the Firefox of a distribution. Everything else is forwarded unchanged.
 *
 * Usage: firefox-bidi.ts EXECUTABLE PROFILE
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer, type RawData } from 'ws';

const UNKNOWN_TO_FIREFOX = 'emulation.setMediaFeaturesOverride';
/** Screenshots of whole pages arrive as one message. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const [executable = '', profile = ''] = process.argv.slice(2);

/** Forwards messages between Playwright and Firefox until either disconnects. */
async function join(playwright: WebSocket, address: string): Promise<void> {
  const queued: RawData[] = [];
  const enqueue = (data: RawData) => queued.push(data);
  playwright.on('message', enqueue);
  const browser = new WebSocket(`${address}/session`, { maxPayload: MAX_MESSAGE_BYTES });
  await once(browser, 'open');
  const forward = (data: RawData) => {
    const text = (data as Buffer).toString();
    if (!text.includes(UNKNOWN_TO_FIREFOX)) return browser.send(text);
    const { id, method } = JSON.parse(text) as { id: number; method: string };
    if (method === UNKNOWN_TO_FIREFOX) playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
    else browser.send(text);
  };
  playwright.off('message', enqueue);
  queued.forEach(forward);
  playwright.on('message', forward);
  browser.on('message', (data: Buffer) => playwright.send(data.toString()));
  browser.on('close', () => playwright.close());
  playwright.on('close', () => browser.close());
}

const child = spawn(executable, ['--remote-debugging-port=0', '--headless', '--no-remote', '--profile', profile], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
child.on('exit', (code) => process.exit(code ?? 1));
for await (const line of createInterface({ input: child.stderr })) {
  const address = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line)?.[1];
  if (address === undefined) continue;
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: MAX_MESSAGE_BYTES });
  await once(server, 'listening');
  server.on('connection', (playwright) => void join(playwright, address));
  // Playwright reads the address from this line.
  process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
}
