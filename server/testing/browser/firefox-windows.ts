/** Windows of a stock Firefox on the web client, driven by WebDriver BiDi, with a fake camera and microphone. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { firefox, type BrowserContext, type Page } from 'playwright-core';
import { sizes, watchTraffic, watch_connections } from './windows.ts';

const executable = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';
/** Why no Firefox is available; undefined when one is. */
export const missing_firefox = existsSync(executable) ? undefined : `Firefox at ${executable}`;

type Preferences = Readonly<Record<string, string | number | boolean>>;

/** Settings that prevent Firefox from showing prompts and from connecting to anything but the service. */
const preferences: Preferences = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'dom.disable_open_during_load': false,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'browser.safebrowsing.downloads.remote.enabled': false,
};

/** A microphone and a camera that the user has denied for every site. */
export const refused_devices: Preferences = {
  'media.navigator.permission.disabled': false,
  'permissions.default.microphone': 2,
  'permissions.default.camera': 2,
};

/**
 * Playwright fills a field of Firefox by setting its value, which React ignores as its own change. This inserts the
 * text as typing does, with the same events.
 */
const insert_as_typed = `
  Object.defineProperty(window, '__pw_bidiInsertText', {
    get: () => (text) => void document.execCommand('insertText', false, text),
    set: () => undefined,
  });
`;

/** The windows of one test. */
export type FirefoxWindows = {
  /** Opens a window of a separate Firefox. Errors of its console and its pages are added to `console_errors`. */
  open(size?: keyof typeof sizes, extra?: Preferences): Promise<Page>;
  /** Errors of all windows, each with the address of its page. */
  console_errors: string[];
};

/** Opens an address in a new tab in front of the given one, which becomes a background tab. */
export async function openForegroundTab(page: Page, address: string): Promise<Page> {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(`void window.open(${JSON.stringify(address)})`),
  ]);
  return tab;
}

/** Tracks what is opened, and closes it after the last test. */
export function useFirefoxWindows(): FirefoxWindows {
  const opened: { context: BrowserContext; folder: string }[] = [];
  const complaints: string[] = [];
  afterAll(async () => {
    for (const { context, folder } of opened.splice(0)) {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  });
  const listen = (page: Page) => {
    watchTraffic(page);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  };
  return {
    console_errors: complaints,
    async open(size = 'desk', extra = {}) {
      const folder = mkdtempSync(join(tmpdir(), 'asterism-firefox-'));
      // This channel selects WebDriver BiDi, which the Firefox of any distribution supports.
      const context = await firefox.launchPersistentContext(folder, {
        channel: 'moz-firefox',
        executablePath: process.execPath,
        ignoreDefaultArgs: true,
        args: [join(import.meta.dirname, 'firefox-bidi.ts'), executable, folder],
        firefoxUserPrefs: { ...preferences, ...extra },
        viewport: sizes[size],
        env: { ...process.env, HOME: folder },
      });
      opened.push({ context, folder });
      await context.addInitScript(watch_connections);
      await context.addInitScript(insert_as_typed);
      context.pages().forEach(listen);
      context.on('page', listen);
      return context.pages()[0] ?? context.newPage();
    },
  };
}
