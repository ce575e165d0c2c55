/** Pages that are opened for the first time: their layout is kept while their parts are loaded, which begins at once. */
import { beforeAll, expect, it } from 'vitest';
import type { CDPSession, Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { pagesOf } from '../../browser/gallery-pages.ts';
import { holdCode, watch_placeholders } from '../../browser/page-checks.ts';
import type { SampleData } from '../../browser/sample-data.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { clearCachedData, missing_browser, networkQuiet, useBrowserWindows } from '../../browser/windows.ts';

/** The most that counts as good (Cumulative Layout Shift, Web Vitals). */
const good_shift = 0.1;

/** A delay after which the parts of a page are loaded one after the other, in milliseconds. */
const latency_ms = 150;

/** Adds up the shifts of the page from its first frame on. */
const watch_shifts = `
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter((shift) => !shift.hadRecentInput)))
    .observe({ type: 'layout-shift', buffered: true });`;

/** Withholds the devices and their list until `window.release` is called, as a busy machine does. */
const withhold_devices = `
  const released = new Promise((resolve) => (window.release = resolve));
  for (const name of ['enumerateDevices', 'getUserMedia']) {
    const native = navigator.mediaDevices[name].bind(navigator.mediaDevices);
    navigator.mediaDevices[name] = (...options) => released.then(() => native(...options));
  }`;

const two_frames = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
const sum_of_shifts = 'window.shifts.reduce((sum, { value }) => sum + value, 0)';

/** What moved, from where to where in pixels, and by how much it counts. */
const described_shifts = `window.shifts.flatMap(({ value, sources }) => sources.map(({ node, previousRect, currentRect }) =>
  value.toFixed(3) + ': ' + (node?.textContent ?? '').slice(0, 30) + ' ' + previousRect.y + ' to ' + currentRect.y))`;

/**
 * Lists what a page requests later than its HTML could: scripts and style sheets after those that the HTML names, up to
 * those of other pages, which are loaded last; and again what the HTML has requested.
 */
function watchLate(devtools: CDPSession): string[] {
  const late: string[] = [];
  const requested = new Set<string>();
  let state: 'named' | 'late' | 'others' = 'named';
  devtools.on('Network.requestWillBeSent', ({ type, request: { url, method }, initiator }) => {
    if (type === 'Document') {
      requested.clear();
      state = 'named';
    }
    // The script of the HTML sends its requests last.
    if (url.endsWith('/v1/home') && state === 'named') state = 'late';
    const [, file] = /\/assets\/(.*)-[\w-]{8}\.(?:js|css)$/.exec(url) ?? [];
    // The library of the map is larger than all the rest.
    if (file === 'device-push' || file === 'app-badge' || file === 'map-view') state = 'others';
    if (file !== undefined && state === 'late' && initiator.type !== 'parser' && !requested.has(url)) late.push(file);
    if (url.includes('/v1/') && method === 'GET') {
      if (requested.has(url)) late.push(url);
      if (initiator.stack?.callFrames.every((frame) => !frame.url.includes('/assets/'))) requested.add(url);
    } else requested.add(url);
  });
  return late;
}

describeUnlessMissing(missing_browser, 'pages that are opened for the first time', () => {
  let service: Service;
  let sample: SampleData;
  let page: Page;
  let devtools: CDPSession;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, sample, page } = await openSampleWindow(windows, 'phone'));
    devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
    await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: latency_ms, ...unlimited });
    await page.addInitScript(watch_shifts);
  });

  it('does not shift on a phone, and is requested by its HTML', async () => {
    const shifted: unknown[] = [];
    const late: unknown[] = [];
    const late_requests = watchLate(devtools);
    for (const [name, path] of pagesOf(sample)) {
      await clearCachedData(page, service);
      await page.goto(service.url + (path.startsWith('/') ? path : `/app/${path}`));
      await networkQuiet(page);
      const sum = Number(await page.evaluate(sum_of_shifts));
      if (late_requests.length > 0) late.push([name, ...late_requests.splice(0)]);
      if (sum > good_shift) shifted.push([name, sum, await page.evaluate(described_shifts)]);
    }
    expect(shifted).toEqual([]);
    // `web/build/first-pages.ts` says what the HTML names.
    expect(late).toEqual([]);
  });

  it('shows no placeholders in chats that have come before the code', async () => {
    for (const [path, answers_of_chats] of [
      ['messages', /folder=main$|group-chat\?/],
      [`messages/${sample.thread_id}`, /folder=main$|group-chat\?|\/threads\/\w+(\/chat)?$|pinned/],
      [`messages/group/${sample.group_id}`, /folder=main$|group-chat\?|\/groups\/\w+(\/chat)?$|pinned/],
    ] as const) {
      await clearCachedData(page, service);
      const chat = await page.context().newPage();
      await chat.addInitScript(watch_placeholders);
      const releaseCode = await holdCode(chat);
      const awaited = new Set<string>();
      chat.on('request', (request) => answers_of_chats.test(request.url()) && awaited.add(request.url()));
      chat.on('requestfinished', (request) => awaited.delete(request.url()));
      const first = chat.waitForEvent('requestfinished', (request) => answers_of_chats.test(request.url()));
      await chat.goto(`${service.url}/app/${path}`, { waitUntil: 'commit' });
      await first;
      await expect.poll(() => awaited.size).toBe(0);
      releaseCode();
      await networkQuiet(chat);
      expect([path, await chat.evaluate('window.had_placeholders')]).toEqual([path, false]);
      await chat.close();
    }
  });

  it('does not shift when a busy machine tells its devices late', async () => {
    const late = await page.context().newPage();
    await late.addInitScript(watch_shifts);
    await late.addInitScript(withhold_devices);
    await late.goto(`${service.url}/app/call-test`);
    await late.getByRole('button', { name: 'Test the speaker' }).waitFor();
    await late.evaluate('window.release()');
    // The level, or a hint while the audio device of the browser is starting, which an earlier page may have done.
    const hint = late.getByText('Tap anywhere to test your microphone.');
    await hint
      .or(late.getByText('Level', { exact: true }))
      .first()
      .waitFor();
    await late.getByRole('option', { name: 'Fake Default Audio Input' }).waitFor({ state: 'attached' });
    // Nothing moves at all: the space of each part is reserved. Shifts are reported after the frame that shows them.
    await late.evaluate(two_frames);
    const sum = Number(await late.evaluate(sum_of_shifts));
    expect(sum, String(await late.evaluate(described_shifts))).toBe(0);
    // What an open page has stored cannot be deleted by `clearCachedData`.
    await late.close();
  });

  it('logs no error when the page is left, or the network lost, while a file is loaded that can wait', async () => {
    const left = await page.context().newPage();
    const errors: string[] = [];
    left.on('pageerror', ({ message }) => errors.push(message));
    await left.route(/\/assets\/transferred-files/, (route) => route.abort());
    const refused = left.waitForEvent('requestfailed', (request) => request.url().includes('transferred-files'));
    await left.goto(`${service.url}/app/call-test`);
    await refused;
    await networkQuiet(left);
    expect(errors).toEqual([]);
    await left.close();
  });
});
