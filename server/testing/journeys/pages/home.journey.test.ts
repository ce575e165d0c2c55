/**
 * The home page on a desktop and on a phone: empty, loaded by one request, live, with a composer, and when a part of it
 * fails.
 */
import { get } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { focusedElement, holdCode, inspectPage, layoutShift, watch_placeholders } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  networkQuiet,
  waitForHome,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

/** "Slow 4G" of Lighthouse: the round trip in ms, and bytes a second. */
const slow_4g = { latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 768_000 / 8 };

/**
 * Stores how long after the start of its navigation a page has painted its greeting and has nothing left to do. The page
 * measures it: a test looks from outside at intervals, and slows the page down by it.
 */
const watch_interactive = `
  window.interactive = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!/^Good /.test(document.querySelector('h1')?.textContent ?? '')) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => requestIdleCallback(() => resolve(performance.now()))));
    });
    observer.observe(document, { childList: true, subtree: true });
  });`;

/** The size of a reply with gzip. */
const gzipSize = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, async (response) => {
      let size = 0;
      for await (const part of response) size += (part as Buffer).length;
      resolve(size);
    }).on('error', reject);
  });

describeUnlessMissing(missing_browser, 'the home page in two browsers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
  });

  const openHome = async (page: Page) => {
    await page.goto(`${service.url}/app/`);
    await waitForHome(page);
  };
  /** One request with the session of a page, as another device of the same person would send it. */
  const requestAsOtherDevice = async (page: Page, route: string, body: object) => {
    const session = String(await page.evaluate('localStorage.getItem("asterism.session")'));
    return requestAs(service, JSON.parse(session) as { token: string }, route, body);
  };
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  it('helps a new account, and shows its navigation at every size', async () => {
    for (const page of [ada, ben]) {
      await openHome(page);
      await page.getByRole('heading', { name: 'No posts yet' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Find tags' }).waitFor();
    }
    await ada.getByRole('link', { name: /Create your tag/ }).waitFor();
    expect(await inspectPage(ada, 'home-empty')).toEqual([]);
    for (const area of ['Home', 'Chats', 'Call', 'People', 'You'])
      await areaLink(ben, new RegExp(`^${area}$`)).waitFor();
    expect(await areaLink(ben, /^(Calendar|Map|Activity)$/).count()).toBe(0);
    for (const area of ['Calendar', 'Map', 'Activity']) await areaLink(ada, new RegExp(`^${area}$`)).waitFor();
  });

  it('loads at most 15 scripts, since each is a request on a slow connection', async () => {
    const html = await (await fetch(`${service.url}/app/`)).text();
    const scripts = html.match(/(?:src|href)="[^"]+\.js"/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.length).toBeLessThanOrEqual(15);
  });

  it('lets V8 compile what the first page needs while it arrives', async () => {
    const html = await (await fetch(`${service.url}/app/`)).text();
    for (const name of ['vendor']) {
      const [, path] = new RegExp(`(?:src|href)="([^"]+/${name}-[^"]+\\.js)"`).exec(html) ?? [];
      const code = await (await fetch(`${service.url}${String(path)}`)).text();
      expect(code.split('\n')[0], name).toBe('//# allFunctionsCalledOnLoad');
    }
  });

  it('preloads the font of the text', async () => {
    const html = await (await fetch(`${service.url}/app/`)).text();
    const [, font] = /<link rel="preload" as="font"[^>]*href="([^"]+)"/.exec(html) ?? [];
    expect(font).toMatch(/figtree-.*\.woff2$/);
    expect((await fetch(`${service.url}${String(font)}`)).headers.get('content-type')).toBe('font/woff2');
  });

  it('loads at most 112 kB of script, with gzip, before it is shown', async () => {
    // The page records when it is shown: on a busy machine this test learns of it later, after the prefetch of other pages.
    await ada.addInitScript(`{
      const observer = new MutationObserver(() => {
        if (!/^Good /.test(document.querySelector('main h1')?.textContent ?? '')) return;
        observer.disconnect();
        window.shown_at = performance.now();
      });
      observer.observe(document, { childList: true, subtree: true });
    }`);
    await openHome(ada);
    await networkQuiet(ada);
    const scripts = (await ada.evaluate(`performance.getEntriesByType('resource')
      .filter(({ name, startTime }) => startTime < window.shown_at && new URL(name).pathname.endsWith('.js'))
      .map(({ name }) => name)`)) as string[];
    const sizes = await Promise.all([...new Set(scripts)].map(gzipSize));
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(112_000);
  });

  it('is loaded by one request, without layout shift', async () => {
    const requests: string[] = [];
    // The previous page is gone: when its stream starts late, it fetches again too.
    await ada.goto('about:blank');
    ada.on('request', (request) => requests.push(new URL(request.url()).pathname));
    let requests_before_stream = Infinity;
    ada.once('websocket', (socket) => socket.once('framereceived', () => (requests_before_stream = requests.length)));
    await openHome(ada);
    await ada.getByRole('heading', { name: 'No posts yet' }).waitFor();
    // What is not known from the home page is fetched when the stream is open; the home page would be fetched before it.
    await expect.poll(() => requests.slice(requests_before_stream)).toContain('/v1/calls/ringing');
    for (const path of ['/v1/home', '/v1/home/group-chat', '/v1/group-invites', '/v1/dm/unread-count'])
      expect([path, requests.filter((one) => one === path).length]).toEqual([path, 1]);
    expect(requests).not.toContain('/v1/grid');
    // The stream prefetches the feed, and nothing has requested it before.
    expect(requests.slice(0, requests_before_stream)).not.toContain('/v1/feed');
    expect(await layoutShift(ada)).toBeLessThan(0.1);
    ada.removeAllListeners('request');
  });

  it('is requested before the code that shows it is loaded, once, and is then rendered without placeholders', async () => {
    await ada.goto('about:blank');
    await ada.addInitScript(watch_placeholders);
    const releaseCode = await holdCode(ada);
    let requests = 0;
    ada.on('request', (request) => void (requests += Number(request.url().endsWith('/v1/home'))));
    let answers = 0;
    ada.on(
      'requestfinished',
      (request) => void (answers += Number(/\/v1\/(home|xtags\?limit=100)$/.test(request.url()))),
    );
    await ada.goto(`${service.url}/app/`, { waitUntil: 'commit' });
    await expect.poll(() => answers).toBe(2);
    releaseCode();
    await ada.getByRole('heading', { name: 'No posts yet' }).waitFor();
    await networkQuiet(ada);
    expect(requests).toBe(1);
    expect(await ada.evaluate('window.had_placeholders')).toBe(false);
    ada.removeAllListeners('request');
    ada.removeAllListeners('requestfinished');
    await ada.unrouteAll();
  });

  it('shows at once what another device plans, and its favourites', async () => {
    await requestAsOtherDevice(ada, 'POST /calendar/events', {
      title: 'Morning swim',
      location: 'The lake',
      starts_at: inHours(-0.1),
      ends_at: inHours(1),
    });
    await ada.getByRole('link', { name: /Morning swim\s*Now · The lake/ }).waitFor();
    await requestAsOtherDevice(ada, 'POST /scheduled-jobs', {
      kind: 'reminder',
      body: 'Water the plants',
      run_at: inHours(5),
    });
    const { id } = await requestAsOtherDevice(ada, 'POST /contacts', {
      name: 'Gran',
      phones: [{ number: '+493012345678' }],
    });
    await requestAsOtherDevice(ada, 'POST /grid/members', { contact_id: id });
    const favourite = ada.getByRole('region', { name: 'Favourites' }).getByRole('button', { name: 'Gran' });
    await favourite.waitFor();
    await favourite.click();
    const sheet = ada.getByRole('dialog', { name: 'Gran' });
    await sheet.getByRole('button', { name: 'Call' }).waitFor();
    expect(await inspectPage(ada, 'home-favourite', 'each')).toEqual([]);
    await ada.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await expect.poll(async () => (await focusedElement(ada)).name).toMatch(/Gran$/);
    await openHome(ada);
    await ada.getByRole('link', { name: '1 scheduled message' }).waitFor();
    expect(await inspectPage(ada, 'home-full')).toEqual([]);
  });

  it('greets by the first name, and removes a favourite in the editor', async () => {
    await requestAsOtherDevice(ada, 'PATCH /me', { display_name: 'Ada Moreau' });
    await openHome(ada);
    await ada.getByRole('heading', { name: /^Good \w+, Ada$/ }).waitFor();
    await ada.goto(`${service.url}/app/calls`);
    await ada.getByRole('list', { name: 'Favourites' }).getByRole('button', { name: 'Call Gran' }).waitFor();
    await ada.goto(`${service.url}/app/grid`);
    await ada.getByRole('button', { name: 'Call Gran' }).waitFor();
    expect(await ada.getByRole('button', { name: 'Remove Gran from the favourites' }).count()).toBe(0);
    await ada.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await inspectPage(ada, 'favourites-edited', 'each')).toEqual([]);
    await ada.getByRole('button', { name: 'Remove Gran from the favourites' }).click();
    await ada.getByText('No favourites yet').waitFor();
  });

  it('keeps the draft when the composer is closed, and posts it under a tag', async () => {
    await requestAsOtherDevice(ben, 'POST /xtags', { name: 'stargazers' });
    await openHome(ben);
    await ben.getByRole('button', { name: 'Say something' }).click();
    await ben.getByLabel('What is new?').fill('Perseids peak tonight');
    await ben.getByRole('button', { name: 'Tag: No tag' }).click();
    await ben.getByRole('menuitemradio', { name: '*stargazers' }).click();
    expect(await inspectPage(ben, 'home-compose', 'each')).toEqual([]);
    await ben.getByRole('button', { name: 'Close' }).click();
    await ben.getByRole('button', { name: 'Perseids peak tonight' }).click();
    await ben.getByRole('button', { name: 'Post', exact: true }).click();
    const posted = ben.getByRole('article').filter({ hasText: 'Perseids peak tonight' });
    await posted.getByRole('button', { name: 'Reply' }).waitFor();
    await posted.getByRole('link', { name: '*stargazers' }).waitFor();
    await ben.getByRole('button', { name: 'Say something to *stargazers' }).waitFor();
    await posted.getByRole('button', { name: 'Like' }).click();
    await posted.getByRole('button', { name: '1 like', pressed: true }).waitFor();
    await openHome(ben);
    await posted.getByRole('button', { name: '1 like', pressed: true }).click();
    await posted.getByRole('button', { name: 'Like', pressed: false }).waitFor();
  });

  it('shows the feed although the rest cannot be fetched, and the rest after a retry', async () => {
    await ben.route('**/v1/home', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'It is broken.' } } }),
    );
    await openHome(ben);
    await ben.getByRole('article').filter({ hasText: 'Perseids peak tonight' }).waitFor();
    await ben.getByRole('alert').getByText('It is broken.').waitFor();
    await ben.unroute('**/v1/home');
    await ben.getByRole('button', { name: 'Try again' }).click();
    await ben.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('is dark from the first paint where the dark theme was chosen, and shows the icon until it is rendered', async () => {
    await areaLink(ada, /^You$/).click();
    await ada.getByRole('button', { name: 'Use dark colours' }).click();
    // Neither scripts nor style sheets arrive.
    await ada.route('**/app/assets/**', () => undefined);
    await ada.goto(`${service.url}/app/`, { waitUntil: 'commit' });
    expect(await ada.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(13, 16, 29)');
    const icon = ada.locator('#splash svg');
    await icon.waitFor();
    const countPaints = () => ada.evaluate(`performance.getEntriesByName('first-contentful-paint').length`);
    await expect.poll(countPaints).toBe(1);
    await ada.unroute('**/app/assets/**');
    await openHome(ada);
    expect(await ada.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(await icon.isVisible()).toBe(false);
  });

  it('is interactive within 2.5 s on slow 4G, with a processor that is four times slower', async () => {
    const { cookies, origins } = await ada.context().storageState();
    const session = origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'asterism.session');
    const rounds: number[] = [];
    // The best of five: other work on the machine only makes it slower.
    for (let round = 0; round < 5; round++) {
      const page = await windows.open('phone');
      await page.context().addCookies(cookies);
      await page.goto(`${service.url}/robots.txt`);
      await page.evaluate(`localStorage.setItem('asterism.session', ${JSON.stringify(session?.value)})`);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', { offline: false, ...slow_4g });
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.addInitScript(watch_interactive);
      await page.goto(`${service.url}/app/`, { waitUntil: 'commit' });
      rounds.push(Number(await page.evaluate('window.interactive')));
      await waitForHome(page);
      await page.close();
    }
    expect(Math.min(...rounds), String(rounds)).toBeLessThan(2_500);
  });
});
