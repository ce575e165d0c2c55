/** The pages of a call in the browser, from the lobby on: many people, telephones, a recording, and who does not come. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { bringCrowd, legTo, playLeg, type Crowd } from '../call-crowd.ts';
import { inspectPage } from '../page-checks.ts';
import { poll, startService, type Service } from '../running-service.ts';
import { keepWindows, missing_browser, signUp } from '../windows.ts';

if (missing_browser) process.stderr.write(`the pages of a call are skipped: ${missing_browser}\n`);

const phone_number = '+442079460123';
/** More than these two windows and those who join by the native SDK, where pictures of a full call are wanted. */
const crowd_size = Number(process.env['CALL_CROWD'] ?? 3);

describe.skipIf(missing_browser)(`the pages of a call${missing_browser ? `: ${missing_browser}` : ''}`, () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let join_code = '';
  const crowds: Crowd[] = [];
  const windows = keepWindows();
  beforeAll(async () => {
    service = await startService({ environment: { DIAL_IN_NUMBER: '+442079460999' } });
    ada = await windows.open('desk');
    ben = await windows.open('phone');
    await signUp(service, ada, 'ada', '+14155550101');
    await signUp(service, ben, 'ben', '+14155550102');
  }, 60_000);
  afterAll(async () => {
    for (const crowd of crowds) await crowd.leave();
    await windows.close();
    await service.close();
  });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  /** Tiles that are shown, and how many of them stick out of the window. */
  const tiles = (page: Page) =>
    page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.tile')].map((tile) => tile.getBoundingClientRect());
      const out = boxes.filter(
        (box) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight || box.width < 40,
      );
      return { shown: boxes.length, out: out.length, scrolls: document.documentElement.scrollHeight - innerHeight };
    });

  it('shows two people', async () => {
    await press(ada, 'Open a room and share its link');
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    join_code = ada.url().split('/').at(-1) ?? '';
    await press(ada, /^Who may come in/);
    await ada.getByRole('menuitemradio', { name: /^Public/ }).click();
    await ada.getByRole('menu').waitFor({ state: 'detached' });
    await ben.goto(`${service.url}/app/j/${join_code}`);
    await press(ben, 'Join');
    await ben.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await poll(async () => (await tiles(ada)).shown === 2, 'two tiles');
    await press(ada, 'Start camera');
    await ada.getByRole('button', { name: 'Stop camera' }).waitFor();
    expect(await inspectPage(ada, 'call-two')).toEqual([]);
  });

  it('shows five people at once, and who speaks', async () => {
    crowds.push(await bringCrowd(service, join_code, crowd_size));
    for (const page of [ada, ben]) {
      await poll(async () => (await tiles(page)).shown === 2 + crowd_size, 'everybody’s tile');
      expect(await tiles(page)).toMatchObject({ out: 0, scrolls: 0 });
      await page.getByText('Speaking: ').first().waitFor();
    }
    expect(await inspectPage(ada, 'call-five')).toEqual([]);
    expect(await legTo(service, phone_number)).toBe(undefined);
    expect(typeof playLeg).toBe('function');
  });
});
