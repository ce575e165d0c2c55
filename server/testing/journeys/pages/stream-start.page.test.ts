/** A page that is opened: it reads everything once, and misses nothing that happens before its stream is connected. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { missing_browser, networkQuiet, openTwoPeople, sessionOf, useBrowserWindows } from '../../browser/windows.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';

describeUnlessMissing(missing_browser, 'the stream of a page', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    for (const page of [ada, ben]) page.setDefaultTimeout(10_000);
    const { id: user_id } = await requestAs(service, await sessionOf(ben), 'GET /me');
    thread_id = (await asPage(ada, 'POST /dm/threads', { user_id })).id;
    await write('The first one');
    await asPage(ben, `POST /dm/threads/${thread_id}/accept`, {});
  }, 60_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  const asPage = async (page: Page, route: string, body: object) =>
    requestAs(service, await sessionOf(page), route, body);
  const write = (body: string) => asPage(ada, `POST /dm/threads/${thread_id}/chat`, { body });

  it('starts before what the page has read, so that lists are read once and have what was sent meanwhile', async () => {
    // The previous page with its stream is gone.
    await ben.goto('about:blank');
    const requests: string[] = [];
    ben.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      requests.push(pathname + search);
    });
    const { promise: release, resolve } = Promise.withResolvers<void>();
    await ben.route('**/v1/realtime/grant', async (route) => {
      await release;
      await route.continue();
    });
    await ben.goto(`${service.url}/app/messages`);
    const row = ben.getByRole('main').getByRole('link');
    await row.filter({ hasText: 'The first one' }).waitFor();
    await write('Sent before the stream');
    // Nothing has notified the page yet.
    expect(await row.filter({ hasText: 'Sent before the stream' }).count()).toBe(0);
    resolve();
    await row.filter({ hasText: 'Sent before the stream' }).waitFor();
    await networkQuiet(ben);
    // A chat that moves into the list may have left the archive, which is read again.
    for (const path of [
      '/v1/dm/threads?folder=main',
      '/v1/home/group-chat?limit=100',
      '/v1/widgets?limit=100',
      '/v1/home',
    ])
      expect([path, requests.filter((one) => one === path).length]).toEqual([path, 1]);
  });
});
