/** Pages of things that do not exist for the reader, and of those that cannot be loaded. */
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Page, Route } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { clearCachedData, useBrowserWindows, missing_browser, visit } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'pages of things that are missing', () => {
  let service: Service;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, page } = await openSampleWindow(windows, 'phone'));
  });
  afterEach(() => page.unrouteAll());

  const title = () => page.getByRole('heading', { level: 1 });
  const action = () => page.getByRole('main').getByRole('link');

  // A link that was cut off or mistyped has an identifier of no known form.
  it.each([
    ['u/usr_cut', 'Person not found', 'Search'],
    ['groups/grp_cut', 'Group not found', 'All groups'],
    ['contacts/con_cut', 'Contact not found', 'All contacts'],
    ['status/st_cut', 'Post not found', 'Go home'],
    ['tags/tag_cut', 'Tag not found', 'Search'],
    ['t/no-such-tag', 'Profile not found', 'Search'],
    ['calendar/evt_cut', 'Event not found', 'Open your calendar'],
    ['calls/conf_cut', 'Call not found', 'Recent calls'],
    ['widgets/wdg_cut', 'Widget not found', 'All widgets'],
    ['messages/thr_cut', 'Closed chat', 'Your chats'],
    ['messages/group/grp_cut', 'Closed chat', 'Your chats'],
    ['nowhere', 'Page not found', 'Go home'],
  ])('%s says that there is none, and where to go on', async (path, name, act) => {
    await visit(page, `${service.url}/app/${path}`);
    await title().getByText(name).waitFor({ state: 'attached' });
    await action().getByText(act).waitFor();
    expect(await page.getByText('Some fields are not valid').count()).toBe(0);
  });

  it.each([
    ['u/usr_cut', 'Loading the person'],
    ['groups/grp_cut', 'Loading the group'],
    ['contacts/con_cut', 'Loading the contact'],
    ['status/st_cut', 'Loading the post'],
    ['tags/tag_cut', 'Loading the tag'],
    ['t/jazz', 'Loading the profile'],
    ['calendar/evt_cut', 'Loading the event'],
    ['calls/conf_cut', 'Loading the call'],
    ['widgets/wdg_cut', 'Loading the widget'],
    ['messages/thr_cut', 'Loading the messages'],
    ['messages/group/grp_cut', 'Loading the messages'],
  ])('%s has its arrow while it is not answered, and where it cannot be loaded', async (path, what) => {
    const gate = Promise.withResolvers<void>();
    const route =
      /\/v1\/(people\/|groups\/|contacts\/|statuses\/|xtags\/|profiles\/|calendar\/events\/|call-history|widgets|dm\/threads\/)/;
    await page.route(route, async (request) => {
      await gate.promise;
      await request.fulfill({ status: 500, json: {} });
    });
    await page.goto(`${service.url}/app/${path}`);
    await page.getByText(what, { exact: true }).first().waitFor({ state: 'attached' });
    const arrow = page.locator('.page-head, .person-top, .thread-bar').locator('a, button').first();
    await arrow.waitFor();
    gate.resolve();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await arrow.waitFor();
  });

  it.each([
    'contacts',
    'people',
    'people/followers',
    'groups',
    'notifications',
    'inbox',
    'calls',
    'calendar',
    'messages',
    'search?q=ja',
    'settings/plan',
  ])('%s says that it could not be loaded, and tries again', async (path) => {
    // What was read before would be shown instead.
    await clearCachedData(page, service);
    const answer = (route: Route) => route.fulfill({ status: 502, body: 'Bad gateway' });
    // An open stream would read what failed again, before the button is pressed.
    await page.route('**/v1/realtime/grant', answer);
    await page.route(/\/v1\/(?!me$)/, answer);
    await page.goto(`${service.url}/app/${path}`);
    // A page with two lists has a button for each, which may appear one after the other.
    const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await retry.first().waitFor();
    await page.getByText('The service has a problem. Try again in a moment.').first().waitFor();
    expect(await page.getByText('Nothing planned here').count()).toBe(0);
    await page.unroute(/\/v1\/(?!me$)/);
    let presses = 0;
    await expect
      .poll(async () => {
        if ((await retry.count()) > 0) {
          presses += 1;
          await retry.first().click();
        }
        return retry.count();
      })
      .toBe(0);
    expect(presses).toBeLessThanOrEqual(2);
  });

  it('names the person whom a videomail is for, and nobody before the name is known', async () => {
    const answer = Promise.withResolvers<void>();
    await page.route(/\/v1\/(contacts|xtags\/search)\?/, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.goto(`${service.url}/app/videomail/ben`);
    await page.getByText('Loading the recipient').waitFor({ state: 'attached' });
    expect(await title().count()).toBe(0);
    answer.resolve();
    await title().getByText('Message for Ben Okafor').waitFor();
  });

  it.each([['call/abc-defg-hij'], ['call/cut'], ['j/cut']])(
    '%s says what may have become of the call',
    async (path) => {
      await visit(page, `${service.url}/app/${path}`);
      await title().getByText('Call not found').waitFor();
      await page.getByText('The call may be over, or it isn’t open to you.').waitFor();
    },
  );

  it('what cannot be loaded is not called missing, and is tried again', async () => {
    await page.route('**/v1/statuses/*', (route) => route.abort());
    await visit(page, `${service.url}/app/`);
    await page.getByText('We start at eight').click();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    expect(await title().innerText()).toBe('The post');
    await page.unroute('**/v1/statuses/*');
    await retry.click();
    await title().getByText('Post by Ben Okafor').waitFor();
    await page.route('**/v1/calls/*', (route) => route.abort());
    await visit(page, `${service.url}/app/call/abc-defg-hij`);
    await title().getByText('You couldn’t be connected').waitFor();
    await page.unroute('**/v1/calls/*');
    await retry.click();
    await title().getByText('Call not found').waitFor();
  });
});
