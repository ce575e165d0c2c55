/** Windows of a real Chromium with the web client, with a fake camera and microphone. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import type { TokenPair } from '../../../sdk/index.ts';
import {
  executable,
  light_executable,
  media_flags,
  missing_browser as missing_chromium,
} from '../../../sfu/testing/pages.ts';
import { poll, startService, type Service, type ServiceOptions } from '../running/running-service.ts';

/** Why no browser is available; undefined when one is. */
export const missing_browser =
  missing_chromium ??
  (!existsSync(join(import.meta.dirname, '..', '..', '..', 'web', 'dist', 'index.html'))
    ? 'a built web client'
    : undefined);
const flags = [
  ...media_flags,
  // As few frames as a picture needs that moves: each is encoded, decoded and drawn by the processor, in every window.
  '--use-fake-device-for-media-stream=fps=5',
  // A shared screen is the tab itself, without a prompt.
  '--auto-accept-this-tab-capture',
];

/** Stores every peer connection of a page where the test can read its statistics. */
export const watch_connections = `
  window.connections = [];
  const Native = window.RTCPeerConnection;
  window.RTCPeerConnection = new Proxy(Native, { construct(target, args) { const connection = new target(...args); window.connections.push(connection); return connection; } });
`;

type Report = { type: string; framesDecoded?: number; totalAudioEnergy?: number };
type Connection = { getStats(): Promise<Map<string, Report>> };
type Received = { frames: number; energy: number };

/** Decoded frames and the energy of the audio that a page has received. */
export async function receivedMedia(page: Page): Promise<Received> {
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

/** The two window sizes in which every page is tested. */
export const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } } as const;

export const password = 'a quiet river stone';

export type BrowserWindows = {
  /**
   * Opens a window with a separate profile: nothing is shared with the others. What browsers deny to private windows,
   * such as pushes, requires a profile on disk. Motion is reduced, which makes pages cheaper and steadier; tests of
   * motion ask for it by `emulateMedia`.
   */
  open(size?: keyof typeof sizes, options?: { has_touch?: boolean; is_persistent?: boolean }): Promise<Page>;
  /** Starts a service. */
  startService(options?: ServiceOptions): Promise<Service>;
};

/** The address and the text of a page, for the error of a failed test. */
async function describePage(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 2000 });
  return `${page.url()}\n${text.replaceAll(/\n\s*\n/g, '\n')}`;
}

/**
 * The browsers of this worker, by their path. In each, every window has a separate profile. They end with the worker,
 * which owns their pipes.
 */
const browsers = new Map<string, Promise<Browser>>();
const launch = { executablePath: executable, headless: true, args: flags };

async function openPrivately(options: BrowserContextOptions, path: string): Promise<BrowserContext> {
  const browser = browsers.get(path) ?? chromium.launch({ ...launch, executablePath: path });
  browsers.set(path, browser);
  return (await browser).newContext(options);
}

/** The pending requests of each page, and when they last changed. */
const traffic = new WeakMap<Page, { open: Set<Request>; changed_ms: number }>();

/** Counts the pending requests of a page from now on, for `networkQuiet`. */
export function watchTraffic(page: Page): void {
  const state = { open: new Set<Request>(), changed_ms: performance.now() };
  traffic.set(page, state);
  const note = (change: (request: Request) => void) => (request: Request) => {
    change(request);
    state.changed_ms = performance.now();
  };
  page.on(
    'request',
    note((request) => state.open.add(request)),
  );
  const end = note((request) => state.open.delete(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
}

/**
 * How long a page sends no requests until it counts as complete: longer than its code needs between a reply and the
 * next request.
 */
const quiet_ms = 150;

/**
 * Resolves once a page has sent no requests for a while. Playwright's `networkidle` waits for half a second each time.
 */
export async function networkQuiet(page: Page): Promise<void> {
  const state = traffic.get(page);
  if (!state) throw new Error('the page was not opened by useBrowserWindows or useFirefoxWindows');
  await poll(
    async () => state.open.size === 0 && performance.now() - state.changed_ms >= quiet_ms,
    'an end of requests',
  );
}

/**
 * Tracks what is opened, and closes it after the last test: first the windows, then the services. The error of a failed test
 * includes the text of each window.
 * @param options.has_workers whether pages have service workers; on a busy machine their requests bypass a test's routes
 * @param options.is_pictured whether pictures are compared: Chromium and its headless shell draw text a little differently
 */
export function useBrowserWindows({ has_workers = false, is_pictured = false } = {}): BrowserWindows {
  const opened: { context: BrowserContext; folder?: string }[] = [];
  const services: Service[] = [];
  afterAll(async () => {
    for (const { context, folder } of opened.splice(0)) {
      await context.close();
      if (folder) rmSync(folder, { recursive: true, force: true });
    }
    for (const service of services.splice(0)) await service.close();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const pages = opened.flatMap(({ context }) => context.pages());
    const shown = await Promise.all(pages.map((page) => describePage(page).catch(String)));
    const [error] = task.result.errors ?? [];
    if (error) error.message += `\n\n${shown.join('\n\n')}`;
    if (error?.stack) error.stack += `\n\n${shown.join('\n\n')}`;
  });
  return {
    async open(size = 'desk', { has_touch = false, is_persistent = false } = {}) {
      const options: BrowserContextOptions = {
        serviceWorkers: has_workers ? 'allow' : 'block',
        permissions: ['camera', 'microphone'],
        viewport: sizes[size],
        reducedMotion: 'reduce',
        // Like a phone: touch input, and no mouse that hovers.
        ...(has_touch ? { hasTouch: true, isMobile: true } : {}),
      };
      const folder = is_persistent ? mkdtempSync(join(tmpdir(), 'asterism-window-')) : undefined;
      const context = await (folder
        ? chromium.launchPersistentContext(folder, { ...launch, ...options })
        : openPrivately(options, is_pictured ? executable : light_executable));
      opened.push({ context, ...(folder ? { folder } : {}) });
      await context.addInitScript(watch_connections);
      context.pages().forEach(watchTraffic);
      context.on('page', watchTraffic);
      return context.pages()[0] ?? context.newPage();
    },
    async startService(options) {
      const service = await startService(options);
      services.push(service);
      return service;
    },
  };
}

/**
 * Creates an account with a verified mobile number and opens its home page, with the session as the browser stores it.
 * The forms for this have separate tests (`signUpByForms`).
 */
export async function signUp(service: Service, page: Page, username: string, mobile_number: string): Promise<void> {
  const email = `${username}@example.org`;
  let session: Partial<TokenPair> = {};
  const send = async (method: string, path: string, data: object) => {
    const headers = {
      'asterism-session': 'cookie',
      ...(session.token ? { authorization: `Bearer ${session.token}` } : {}),
    };
    const answer = await page.request.fetch(`${service.url}/v1${path}`, { method, headers, data });
    if (!answer.ok()) throw new Error(`${method} ${path} had status ${answer.status()}: ${await answer.text()}`);
    return (await answer.json().catch(() => ({}))) as Partial<TokenPair> & { registration_id?: string };
  };
  const { registration_id } = await send('POST', '/auth/register', { username, password, email });
  session = await send('POST', '/auth/register/verify', { registration_id, code: await service.codeFor(email) });
  await send('PUT', '/me/mobile', { mobile_number });
  await send('POST', '/me/mobile/codes', {});
  await send('POST', '/me/mobile/verify', { code: await service.codeFor(mobile_number) });
  // Storage belongs to an origin, so a page of it is opened first.
  await page.goto(`${service.url}/robots.txt`);
  const { token, expires_at, refresh_expires_at, session_id } = session;
  const stored_session = JSON.stringify({ token, expires_at, refresh_expires_at, session_id });
  await page.evaluate(`localStorage.setItem('asterism.session', ${JSON.stringify(stored_session)})`);
  await page.goto(`${service.url}/app/`);
  await waitForHome(page, username);
}

/** The session that a window has stored, for requests as its account. */
export const sessionOf = async (page: Page): Promise<{ token: string }> =>
  JSON.parse(String(await page.evaluate(`localStorage.getItem('asterism.session')`)));

/** Opens a phone with a touch screen, on which the account of another window is signed in. The caller closes it. */
export async function openTouchPhone(windows: BrowserWindows, service: Service, other: Page): Promise<Page> {
  const phone = await windows.open('phone', { has_touch: true });
  await phone.goto(`${service.url}/robots.txt`);
  const session = JSON.stringify(JSON.stringify(await sessionOf(other)));
  await phone.evaluate(`localStorage.setItem('asterism.session', ${session})`);
  return phone;
}

/**
 * Opens an address of the client. Where the client already runs in the window it changes the page, as a link does, which
 * takes a fraction of the time of loading it again; `page.goto` is for tests of a first opening.
 */
export async function visit(page: Page, url: string): Promise<void> {
  const [from, to] = [new URL(page.url(), 'about:blank'), new URL(url)];
  const isOfClient = ({ pathname }: URL) => pathname.startsWith('/app/');
  if (from.origin !== to.origin || !isOfClient(from) || !isOfClient(to)) {
    await page.goto(url);
    return;
  }
  await page.evaluate(`new Promise((resolve) => {
    const router = window.__TSR_ROUTER__;
    const stop = router.subscribe('onResolved', () => { stop(); resolve(); });
    router.history.push(${JSON.stringify(to.pathname + to.search + to.hash)});
  })`);
}

const clear_cached_data = `(async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  for (const { name } of await indexedDB.databases())
    await new Promise((resolve) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = request.onerror = request.onblocked = resolve;
    });
  for (const key of Object.keys(localStorage)) if (key !== 'asterism.session') localStorage.removeItem(key);
})()`;

/** Deletes what earlier pages of a window have read and stored, except for the session; another address has to be opened then. */
export async function clearCachedData(page: Page, service: Pick<Service, 'url'>): Promise<void> {
  // A page of the same origin, without the client, which would store it again.
  await page.goto(`${service.url}/robots.txt`);
  await page.evaluate(clear_cached_data);
}

/** Registers in a window and verifies the mobile number by the forms, up to the home page. */
export async function signUpByForms(
  service: Service,
  page: Page,
  username: string,
  mobile_number: string,
): Promise<void> {
  await page.goto(`${service.url}/app/register`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('E-mail').fill(`${username}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Code').fill(await service.codeFor(`${username}@example.org`));
  await page.getByLabel('Mobile number').fill(mobile_number);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Code').fill(await service.codeFor(mobile_number));
  await waitForHome(page, username);
}

/** The sizes of the windows of the two people. */
type WindowSizes = { ada: keyof typeof sizes; ben: keyof typeof sizes };

/** A service, and two people who have signed up there, each with a separate window. */
export async function openTwoPeople(windows: BrowserWindows, window_sizes: WindowSizes, options?: ServiceOptions) {
  const [service, ada, ben] = await Promise.all([
    windows.startService(options),
    windows.open(window_sizes.ada),
    windows.open(window_sizes.ben),
  ]);
  await Promise.all([signUp(service, ada, 'ada', '+14155550101'), signUp(service, ben, 'ben', '+14155550102')]);
  return { service, ada, ben };
}

/** A link of the main navigation, wherever the size of the window puts it. */
export function areaLink(page: Page, name: RegExp): Locator {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
}

/** A link in the rail on a desktop, and at the top of the home page on a phone. */
export function topLink(page: Page, name: RegExp): Locator {
  return page.getByRole('link', { name }).filter({ visible: true }).first();
}

/** Resolves once the home page is shown. @param name how it greets the reader */
export async function waitForHome(page: Page, name = ''): Promise<void> {
  await page.getByRole('heading', { name: new RegExp(`^Good (morning|afternoon|evening), ${name}`) }).waitFor();
}

/** Opens the composer of posts, unless it is open. */
export async function composeStatus(page: Page): Promise<void> {
  const field = page.getByLabel('What is new?');
  if (!(await field.isVisible())) await page.locator('.saybar').click();
  await field.waitFor();
}

/** Posts a text from the home page. */
export async function postStatus(page: Page, text: string): Promise<void> {
  await composeStatus(page);
  await page.getByLabel('What is new?').fill(text);
  await page.getByRole('button', { name: 'Post', exact: true }).click();
}

/** Creates a tag on the page "Your tags", and returns to the home page. */
export async function createTag(page: Page, name: string): Promise<void> {
  await areaLink(page, /^You$/).click();
  await page.getByRole('link', { name: 'Your tags', exact: true }).click();
  await page.getByRole('heading', { name: 'Your tags', level: 1 }).waitFor();
  await page.getByLabel('Tag name').fill(name);
  await page.getByRole('button', { name: 'Create tag' }).click();
  await page.getByText(`Created *${name}.`).waitFor();
  await areaLink(page, /^Home$/).click();
  await waitForHome(page);
}

/** Searches for a tag and calls it: from the rail on a desktop, from the page of calls on a phone. */
export async function callTag(page: Page, name: string): Promise<void> {
  const search = topLink(page, /^Search$/);
  if (await search.isVisible()) await search.click();
  else {
    await areaLink(page, /^Call/).click();
    await page.getByRole('link', { name: 'A name, a tag or a number' }).click();
  }
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
  await page.getByLabel('Search people and tags').fill(name);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
}
