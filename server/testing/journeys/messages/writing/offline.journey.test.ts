/** Without a network the client opens, shows what was read, and sends messages once the network is back. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../../testing/story.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { requestAs, signUp as signUpByApi, type RunningPerson } from '../../../running/running-people.ts';
import type { Service } from '../../../running/running-service.ts';
import { areaLink, useBrowserWindows, missing_browser, signUp, sizes, waitForHome } from '../../../browser/windows.ts';

// One device, from what it has read to what it sends later and forgets at the end.
describeStory(missing_browser, 'the client without a network', () => {
  let service: Service;
  let ada: Page;
  let ben: RunningPerson;
  let thread_id = '';
  const windows = useBrowserWindows({ has_workers: true });
  beforeAll(async () => {
    service = await windows.startService();
    ada = await windows.open('phone');
    await signUp(service, ada, 'ada', '+14155550101');
    ben = await signUpByApi(service, 'ben', '+14155550102');
    const token = (await ada.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)) as string;
    const { id } = (await service.call('GET /me', { token })).body;
    thread_id = (await requestAs(service, ben, 'POST /dm/threads', { user_id: id })).id;
    await requestAs(service, ben, `POST /dm/threads/${thread_id}/chat`, { body: 'The pier at nine?' });
    await service.call(`POST /dm/threads/${thread_id}/accept`, { token, body: {} });
  });
  /** A message of the open chat; the list of chats beside it is hidden on a phone. */
  const message = (text: string) => ada.getByText(text, { exact: true }).filter({ visible: true }).first();
  /** Whether the cache of a name contains an entry with this text. */
  const isCached = (name: RegExp, text: string) =>
    ada.evaluate(`(async () => {
      for (const name of await caches.keys()) {
        if (!${String(name)}.test(name)) continue;
        const cache = await caches.open(name);
        for (const request of await cache.keys()) if ((await (await cache.match(request)).text()).includes(${JSON.stringify(text)})) return true;
      }
      return false;
    })()`) as Promise<boolean>;

  it('opens, and shows the chats that were read', async () => {
    await areaLink(ada, /^Chats/).click();
    await ada.getByRole('link', { name: /ben/ }).click();
    await message('The pier at nine?').waitFor();
    await ada.evaluate('navigator.serviceWorker.ready.then(() => true)');
    // The list of chats shows the same text, and may be cached before the chat is.
    await expect.poll(() => isCached(/read$/, '"thread-chat"')).toBe(true);
    await ada.context().setOffline(true);
    await ada.reload();
    await message('The pier at nine?').waitFor();
    await ada.getByText('You are offline. What you see may be out of date.').waitFor();
    expect(await inspectPage(ada, 'offline-chat', 'each')).toEqual([]);
    await ada.goto(`${service.url}/app/`);
    await waitForHome(ada);
    await ada.goto(`${service.url}/app/messages`);
    await ada.getByRole('link', { name: /ben/ }).waitFor();
  });

  it('opens pages whose code no page has loaded before', async () => {
    for (const path of ['calendar', 'settings', 'settings/notifications', 'scheduled']) {
      await ada.goto(`${service.url}/app/${path}`);
      await ada.getByRole('heading', { level: 1 }).first().waitFor();
      expect([path, await ada.getByText('This page can’t be shown').count()]).toEqual([path, 0]);
    }
    // What was never read is not shown as a fault of the service.
    for (const path of ['notifications', 'map']) {
      await ada.goto(`${service.url}/app/${path}`);
      await ada.getByText('You are offline. Try again when you are connected.').waitFor();
    }
  });

  it('shows its notice above each page, where it covers no control', async () => {
    for (const size of ['desk', 'phone'] as const) {
      await ada.setViewportSize(sizes[size]);
      for (const path of ['', 'calls', `messages/${thread_id}`, 'calendar', 'people', 'messages']) {
        await ada.goto(`${service.url}/app/${path}`);
        await ada.getByText('You are offline. What you see may be out of date.').waitFor();
        await ada.getByRole('heading', { level: 1 }).first().waitFor();
        const covered = await ada.evaluate(`(() => {
          const own = document.querySelector('.connection > p').getBoundingClientRect();
          return [...document.querySelectorAll('a, button, input, textarea')].filter((one) => {
            const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
            const overlaps = left < own.right && right > own.left && top < own.bottom && bottom > own.top;
            return overlaps && width > 1 && height > 1 && !one.matches('.skip-link');
          }).map((one) => one.outerHTML);
        })()`);
        expect(covered, `${path} ${size}`).toEqual([]);
      }
      // A chat and its list fill the rest of the window.
      expect(await ada.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    }
  });

  it('sends a message that was written offline, once', async () => {
    await ada.getByRole('link', { name: /ben/ }).click();
    await ada.getByRole('textbox', { name: 'Message' }).fill('Nine it is');
    await ada.keyboard.press('Enter');
    await message('Nine it is').waitFor();
    await ada.reload();
    await message('Nine it is').waitFor();
    // The list shows it too, and that it is not sent.
    await ada.goto(`${service.url}/app/messages`);
    const row = ada.getByRole('link', { name: /ben.*Waiting for a connection.*You: ?Nine it is/ });
    await row.waitFor();
    await row.click();
    await ada.context().setOffline(false);
    const bodies = async () =>
      (await service.call(`GET /dm/threads/${thread_id}/chat`, { token: ben.token })).body.items.map(
        ({ body }: { body: string }) => body,
      ) as string[];
    await expect.poll(bodies).toEqual(['Nine it is', 'The pier at nine?']);
    await ada.reload();
    await message('Nine it is').waitFor();
    expect(await bodies()).toEqual(['Nine it is', 'The pier at nine?']);
  });

  it('shows edits, deletions and reactions at once offline, and sends them later, in order and once', async () => {
    const choose = async (text: string, act: string, role: 'menuitem' | 'menuitemradio' = 'menuitem') => {
      await ada.getByRole('button', { name: `More about “${text}”` }).press('Enter');
      await ada.getByRole(role, { name: act, exact: true }).click();
    };
    const write = async (text: string) => {
      await ada.getByRole('textbox', { name: 'Message' }).fill(text);
      await ada.keyboard.press('Enter');
      await message(text).waitFor();
    };
    await write('Bring the tee');
    await write('Never mind');
    await expect.poll(() => ada.getByText('Sending', { exact: true }).count()).toBe(0);
    await expect.poll(() => isCached(/read$/, '"Never mind"')).toBe(true);
    await ada.context().setOffline(true);
    await choose('Bring the tee', 'Edit');
    await write('Bring the tea');
    await choose('Never mind', 'Delete');
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await ada.getByText('Message deleted').filter({ visible: true }).first().waitFor();
    await choose('The pier at nine?', 'Heart', 'menuitemradio');
    await ada.getByRole('button', { name: /❤️/ }).waitFor();
    for (const text of ['And cups', 'A slip']) await write(text);
    await ada.getByRole('button', { name: 'Edit', exact: true }).click();
    await write('And spoons');
    await ada.reload();
    for (const text of ['Bring the tea', 'And cups', 'And spoons']) await message(text).waitFor();
    await ada.getByRole('button', { name: /❤️/ }).waitFor();
    const methods: string[] = [];
    ada.on('request', (one) => {
      if (/\/chat/.test(one.url()) && one.method() !== 'GET') methods.push(one.method());
    });
    await ada.context().setOffline(false);
    const read = async () =>
      (
        (await service.call(`GET /dm/threads/${thread_id}/chat`, { token: ben.token })).body.items as {
          body: string;
          reactions: { emoji: string }[];
        }[]
      ).map(({ body, reactions }) => [body, ...reactions.map(({ emoji }) => emoji)].join(' '));
    await expect
      .poll(read)
      .toEqual(['And spoons', 'And cups', '', 'Bring the tea', 'Nine it is', 'The pier at nine? ❤️']);
    // The browser may tell of a request after the service has answered it.
    await expect.poll(() => methods.filter((method) => method !== 'PUT')).toEqual(['PATCH', 'DELETE', 'POST', 'POST']);
  });

  it('shows a like and a follow at once offline, and sends the last state of each later, once', async () => {
    const tag = await requestAs(service, ben, 'POST /xtags', { name: 'pier' });
    const status = await requestAs(service, ben, 'POST /statuses', { body: 'High tide', tag_id: tag.id });
    const read = async () => {
      const { follower_count } = await requestAs(service, ben, `GET /xtags/${tag.id}`);
      return [follower_count, (await requestAs(service, ben, `GET /statuses/${status.id}`)).like_count];
    };
    const like = ada.getByRole('button', { name: /Like|like/, pressed: false });
    const unlike = ada.getByRole('button', { name: /1 like/, pressed: true });
    const answers: string[] = [];
    ada.on('response', (answer) => {
      const path = new URL(answer.url()).pathname;
      if (/\/(like|follow)$/.test(path)) answers.push(`${answer.request().method()} ${path.split('/').at(-1)}`);
    });
    await ada.context().setOffline(false);
    await ada.goto(`${service.url}/app/t/pier`);
    await like.waitFor();
    await ada.context().setOffline(true);
    await ada.getByRole('button', { name: 'Follow *pier' }).click();
    await ada.getByRole('button', { name: /^Following \*pier/ }).waitFor();
    for (const button of [like, unlike, like]) await button.click();
    await unlike.waitFor();
    // By now the requests have failed several times.
    await expect
      .poll(() => ada.evaluate(`Object.keys(localStorage).some((key) => key.endsWith('.states'))`))
      .toBe(true);
    await ada.goto(`${service.url}/app/`);
    await waitForHome(ada);
    expect(await read()).toEqual([0, 0]);
    await ada.context().setOffline(false);
    await expect.poll(read).toEqual([1, 1]);
    await expect
      .poll(() => ada.evaluate(`Object.keys(localStorage).some((key) => key.endsWith('.states'))`))
      .toBe(false);
    expect(answers.toSorted()).toEqual(['PUT follow', 'PUT like']);
    await ada.goto(`${service.url}/app/t/pier`);
    await unlike.waitFor();
    await ada.context().setOffline(true);
    await unlike.click();
    await like.waitFor();
    await requestAs(service, ben, `DELETE /statuses/${status.id}`);
    await ada.context().setOffline(false);
    await ada.getByText(/^Couldn’t remove the like\./).waitFor();
  });

  it('draws the map of the whole world offline once it was shown', async () => {
    await ada.context().setOffline(false);
    const overview = () =>
      ada.evaluate(`caches.open('asterism-map').then(async (cache) =>
        (await cache.keys()).filter(({ url }) => /tiles.[0-2]/.test(url)).length)`);
    await ada.goto(`${service.url}/app/map`);
    await ada.locator('.mapview canvas').waitFor();
    await expect.poll(overview).toBe(21);
    await expect.poll(() => isCached(/read$/, '"map-config"')).toBe(true);
    await ada.context().setOffline(true);
    await ada.reload();
    await ada.locator('.mapview canvas').waitFor();
    await ada.locator('.mapview[aria-busy="false"]').waitFor();
    expect(await ada.locator('.nomap').count()).toBe(0);
    await ada.context().setOffline(false);
  });

  it('deletes the cached chats when their reader signs out', async () => {
    await ada.goto(`${service.url}/app/settings/sessions`);
    await ada.getByRole('button', { name: 'Sign out', exact: true }).click();
    await ada.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await expect.poll(() => isCached(/read$/, 'The pier at nine?')).toBe(false);
    expect(await ada.evaluate(`caches.has('asterism-map')`)).toBe(false);
  });
});
