/** The main job in two real browsers: register, verify, make a tag, call it, ring, talk and see, write, hang up. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { poll, startService, type Service } from '../running-service.ts';

const executable = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const reason = !existsSync(executable)
  ? `Chromium at ${executable}`
  : !existsSync(join(import.meta.dirname, '..', '..', '..', 'web', 'dist', 'index.html'))
    ? 'the built web client'
    : undefined;
if (reason) process.stderr.write(`the main job in two browsers is skipped without ${reason}\n`);

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
];

/** Keeps every peer connection of a page where the test can ask it for statistics. */
const watch_connections = `
  window.connections = [];
  const Native = window.RTCPeerConnection;
  window.RTCPeerConnection = new Proxy(Native, { construct(target, args) { const made = new target(...args); window.connections.push(made); return made; } });
`;

type Report = { type: string; framesDecoded?: number; totalAudioEnergy?: number };
type Connection = { getStats(): Promise<Map<string, Report>> };
type Received = { frames: number; energy: number };

/** Decoded frames and the energy of the sound that a page has received. */
async function received(page: Page): Promise<Received> {
  return page.evaluate(async () => {
    const sum = { frames: 0, energy: 0 };
    for (const connection of (globalThis as unknown as { connections: Connection[] }).connections) {
      for (const report of (await connection.getStats()).values()) {
        if (report.type !== 'inbound-rtp') continue;
        sum.frames += report.framesDecoded ?? 0;
        sum.energy += report.totalAudioEnergy ?? 0;
      }
    }
    return sum;
  });
}

describe.skipIf(reason)(`the main job in two browsers${reason ? ` (skipped without ${reason})` : ''}`, () => {
  let service: Service;
  const folders: string[] = [];
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await service.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  async function openWindow(): Promise<Page> {
    const folder = mkdtempSync(join(tmpdir(), 'asterism-window-'));
    folders.push(folder);
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: executable,
      headless: true,
      args: flags,
      permissions: ['camera', 'microphone'],
      viewport: { width: 1280, height: 800 },
    });
    contexts.push(context);
    await context.addInitScript(watch_connections);
    return context.pages()[0] ?? context.newPage();
  }

  async function signUp(page: Page, username: string, mobile_number: string): Promise<void> {
    await page.goto(`${service.url}/app/register`);
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('E-mail').fill(`${username}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill('a quiet river stone');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Code').fill(await service.codeFor(`${username}@example.org`));
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByLabel('Mobile number').fill(mobile_number);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code').fill(await service.codeFor(mobile_number));
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByLabel('Tag name').waitFor();
  }

  it('lets two people find, call, hear, see and write to each other, and hang up', async () => {
    const [ada, ben] = [await openWindow(), await openWindow()];
    await signUp(ada, 'ada', '+14155550101');
    await signUp(ben, 'ben', '+14155550102');

    await ada.getByLabel('Tag name').fill('evenings');
    await ada.getByRole('button', { name: 'Make tag' }).click();
    await ada.getByText('*evenings is yours.').waitFor();

    await ben.getByLabel('Search tags').fill('evening');
    await ben.getByRole('button', { name: 'Call', exact: true }).click();
    await ada.getByRole('button', { name: 'Accept' }).click();
    for (const page of [ada, ben]) {
      await page.getByRole('button', { name: 'Leave' }).waitFor();
      await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
      const start_camera = page.getByRole('button', { name: 'Start camera' });
      if (await start_camera.isVisible()) await start_camera.click();
    }
    for (const page of [ada, ben]) {
      await poll(async () => {
        const { frames, energy } = await received(page);
        return frames > 20 && energy > 0.001;
      }, 'sound and picture');
    }

    await ben.getByLabel('Message').fill('Can you hear me?');
    await ben.getByRole('button', { name: 'Send' }).click();
    await ada.getByText('Can you hear me?').waitFor();

    await ada.getByRole('button', { name: 'Leave' }).click();
    await ada.getByLabel('Search tags').waitFor();
    await ben.getByRole('button', { name: 'End for all' }).click();
    await ben.getByRole('alertdialog').getByRole('button', { name: /End/ }).click();
    await ben.getByLabel('Search tags').waitFor();
    for (const page of [ada, ben]) expect(await page.getByRole('button', { name: 'Leave' }).count()).toBe(0);
  });
});
