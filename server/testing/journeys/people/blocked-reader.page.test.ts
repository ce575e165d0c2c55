/** What a person has read of somebody who then blocks them: each page shows at once what a stranger sees. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { requestAs, signUp as signUpByApi, type RunningPerson } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import {
  useBrowserWindows,
  missing_browser,
  networkQuiet,
  sessionOf,
  signUp,
  visit,
  waitForHome,
} from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'a reader who is blocked', () => {
  let service: Service;
  let ada: Page;
  let ben: RunningPerson;
  let tag = '';
  let thread_id = '';
  let people = 0;
  const windows = useBrowserWindows();
  const open = (path: string) => visit(ada, `${service.url}/app/${path}`);
  const title = (name: string) => ada.getByRole('heading', { name, level: 1, exact: true });
  const message = () => ada.getByText(`The pier at ${tag}?`).filter({ visible: true });
  const block = async () => {
    const { id } = (await service.call('GET /me', { token: (await sessionOf(ada)).token })).body;
    await requestAs(service, ben, 'POST /blocks', { user_id: id });
  };
  /** Tells the page that its window has been left and entered. */
  const enterWindow = () => ada.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  /** Whether what is stored on the device contains a text. */
  const isStored = (text: string) =>
    ada.evaluate(`(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) if ((await (await cache.match(request)).text()).includes(${JSON.stringify(text)})) return true;
      }
      return false;
    })()`) as Promise<boolean>;

  beforeAll(async () => {
    service = await windows.startService();
    ada = await windows.open('phone');
    await signUp(service, ada, 'ada', '+14155550101');
  });
  beforeEach(async () => {
    people += 1;
    tag = `jazz-${people}`;
    ben = await signUpByApi(service, `ben${people}`, `+1415555020${people}`);
    await requestAs(service, ben, 'PATCH /me', { display_name: 'Ben Okafor' });
    await requestAs(service, ben, 'POST /xtags', { name: tag, title: 'Evenings of jazz' });
    const { token } = await sessionOf(ada);
    const { id } = (await service.call('GET /me', { token })).body;
    thread_id = (await requestAs(service, ben, 'POST /dm/threads', { user_id: id })).id;
    await requestAs(service, ben, `POST /dm/threads/${thread_id}/chat`, { body: `The pier at ${tag}?` });
    await service.call(`POST /dm/threads/${thread_id}/accept`, { token, body: {} });
    await ada.goto(`${service.url}/app/`);
    await waitForHome(ada);
  });

  it('opens no page by a link that was read a moment before', async () => {
    await open(`t/${tag}`);
    await title(`*${tag}`).waitFor();
    await open(`u/${ben.id}`);
    await title('Ben Okafor').waitFor();
    await open(`messages/${thread_id}`);
    await message().first().waitFor();
    await block();
    await open(`t/${tag}`);
    await title('Profile not found').waitFor();
    await open(`u/${ben.id}`);
    await title('Person not found').waitFor();
    await open(`messages/${thread_id}`);
    await title('Closed chat').waitFor({ state: 'attached' });
  });

  it.each([
    ['the page of a tag', () => `t/${tag}`, 'Profile not found'],
    ['the page of a person', () => `u/${ben.id}`, 'Person not found'],
  ])('is no longer shown %s when the window is entered', async (_what, pathOf, text) => {
    await open(pathOf());
    await ada.getByText('Evenings of jazz').first().waitFor();
    await block();
    await enterWindow();
    await title(text).waitFor();
    expect(await ada.getByText('Evenings of jazz').count()).toBe(0);
  });

  it('keeps nothing of the chat on the device', async () => {
    await open(`messages/${thread_id}`);
    await message().first().waitFor();
    await expect.poll(() => isStored(`The pier at ${tag}?`)).toBe(true);
    await block();
    await title('Closed chat').waitFor({ state: 'attached' });
    await expect.poll(() => isStored(`The pier at ${tag}?`)).toBe(false);
  });

  it('keeps showing what was read when a request fails for another reason', async () => {
    await open(`t/${tag}`);
    await title(`*${tag}`).waitFor();
    await ada.route(`**/v1/profiles/${tag}`, (route) =>
      route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'Not now.' } } }),
    );
    const failed = ada.waitForResponse(`**/v1/profiles/${tag}`);
    await enterWindow();
    await failed;
    await networkQuiet(ada);
    await title(`*${tag}`).waitFor();
    expect(await ada.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await ada.unroute(`**/v1/profiles/${tag}`);
  });
});
