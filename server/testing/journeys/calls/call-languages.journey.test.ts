/** The stage of a call in other languages: longer words, and right to left. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { joinCrowd, type Crowd } from '../../running/call-crowd.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  clearCachedData,
  missing_browser,
  openTwoPeople,
  sessionOf,
  useBrowserWindows,
} from '../../browser/windows.ts';

/** The labels of controls that are wider than their place or touch another, and texts of the page that are cut off. */
const find_cut = `(() => {
  const labels = [...document.querySelectorAll('.call-controls > *')];
  const boxes = labels.map((label) => label.getBoundingClientRect());
  const cut = labels.filter((label) => label.scrollWidth > label.clientWidth + 1);
  const outside = labels.filter((_, at) => boxes[at].left < 0 || boxes[at].right > innerWidth || boxes[at].bottom > innerHeight);
  return [...cut, ...outside].map((label) => label.innerText);
})()`;

describeUnlessMissing(missing_browser, 'the stage of a call in other languages', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let crowd: Crowd;
  let url = '';
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'phone', ben: 'desk' }));
    const { token } = await sessionOf(ben);
    const { body } = await service.call('POST /calls', { token, body: { to: [], privacy: 'public' } });
    url = `${service.url}/app/call/${body.join_code}?microphone=off&camera=off`;
    await ben.goto(url);
    await ben.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    crowd = await joinCrowd(service, body.join_code, 3);
  });
  afterAll(async () => {
    await crowd?.leave();
  });

  /**
   * Changes the language of the account, as another device does.
   * @param opened the language in which this device opens pages, until the account is read
   */
  async function choose(locale: string, opened = locale): Promise<void> {
    const { token } = await sessionOf(ada);
    expect((await service.call('PATCH /me', { token, body: { locale } })).status).toBe(200);
    await clearCachedData(ada, service);
    await ada.evaluate(`localStorage.setItem('asterism.locale', '${opened}')`);
  }
  async function joinIn(locale: string): Promise<void> {
    await choose(locale);
    await ada.goto(url);
    await poll(async () => (await ada.locator('.tile').count()) === 5, 'everybody’s tile');
  }

  it.each(['de', 'fr', 'es', 'ar'])('has room for the words of all controls in %s', async (locale) => {
    await joinIn(locale);
    const found: string[] = [];
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [1280, 800],
    ] as const) {
      await ada.setViewportSize({ width, height });
      found.push(...(await ada.evaluate<string[]>(find_cut)).map((text) => `${width}: ${text}`));
    }
    expect(found).toEqual([]);
  });

  it('places tiles from right to left in Arabic: the first at the right, small ones at the left', async () => {
    await joinIn('ar');
    // Low, so that small tiles are beside the large one.
    await ada.setViewportSize({ width: 1280, height: 480 });
    const boxOf = async (name: string) => {
      const box = await ada.locator('.tile', { hasText: name }).boundingBox();
      return box ?? { x: 0, y: 0, width: 0, height: 0 };
    };
    await poll(async () => (await boxOf('ben')).x > (await boxOf('cleo')).x, 'the first tile at the right');
    await ada.locator('.tile', { hasText: 'dara' }).hover();
    await ada.locator('.tile', { hasText: 'dara' }).getByRole('button').click();
    await poll(async () => (await boxOf('ben')).width < 200, 'small tiles');
    const [large, small] = [await boxOf('dara'), await boxOf('ben')];
    expect(small.x + small.width).toBeLessThan(large.x);
  });

  it('keeps its language until it ends, also when the catalogue of another one arrives after it was joined', async () => {
    await choose('de', 'en');
    // The page of the call is complete once the catalogue is asked for, and the catalogue arrives after that.
    const [asked, joined] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await ada.route(/\/v1\/calls\//, async (route) => {
      await asked.promise;
      await route.continue();
    });
    const catalogue = /\/assets\/de-[^/]*\.js$/;
    await ada.route(catalogue, async (route) => {
      asked.resolve();
      await joined.promise;
      await route.continue();
    });
    await ada.goto(url);
    await ada.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    const arrived = ada.waitForResponse(catalogue);
    joined.resolve();
    await (await arrived).finished();
    await ada.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300)))');
    expect(await ada.evaluate('connections.length')).toBe(2);
    await ada.getByRole('button', { name: 'Leave', exact: true }).click();
    await ada.locator('html[lang="de"]').waitFor();
  });
});
