/** Going back to a chat from a page that it led to: the reader is where they were. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chatLink, messageOf, openThread } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  networkQuiet,
  sessionOf,
  visit,
} from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'going back to a chat', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  const post = async (page: Page, body: string) =>
    requestAs(service, await sessionOf(page), `POST /dm/threads/${thread_id}/chat`, { body });
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    thread_id = await openThread(service, ada, ben, 'Page 0.');
    for (let at = 1; at < 100; at++)
      await post(at % 3 === 0 ? ada : ben, `Page ${at}. ${'and so it goes on '.repeat((at * 7) % 13)}`);
  });

  const log = (page: Page) => page.getByRole('log');
  /** Scrolls to a message of an older page, and past its start. */
  const scrollUpTo = async (page: Page, text: string) => {
    await log(page).hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -900);
        return messageOf(page, text).count();
      })
      .toBeGreaterThan(0);
    await networkQuiet(page);
    const scrollTop = () => log(page).evaluate((element) => (element as unknown as HTMLElementLike).scrollTop);
    const before = await scrollTop();
    await page.mouse.wheel(0, 37);
    // A busy page scrolls later.
    await expect.poll(scrollTop).not.toBe(before);
  };
  /** The first message in sight and where it is, once nothing moves. */
  const placeOf = async (page: Page): Promise<[text: string, top_px: number]> => {
    const read = () =>
      log(page).evaluate((element) => {
        const box = element as unknown as HTMLElementLike;
        const { top } = box.getBoundingClientRect();
        const row = [...box.querySelectorAll('[data-index]')].find((one) => one.getBoundingClientRect().bottom > top);
        const text = /Page \d+\./.exec(row?.textContent ?? '')?.[0] ?? '';
        return [text, Math.round((row?.getBoundingClientRect().top ?? 0) - top)] as [string, number];
      });
    let last = await read();
    await expect
      .poll(async () => {
        const before = last;
        last = await read();
        return before[0] !== '' && before.join() === last.join();
      })
      .toBe(true);
    return last;
  };
  /** Opens the chat from the list, at its end, and scrolls up to older messages. @returns where the reader is then */
  const openOlder = async (page: Page) => {
    await visit(page, `${service.url}/app/messages`);
    await log(page).waitFor({ state: 'detached' });
    await visit(page, `${service.url}/app/messages/${thread_id}`);
    await messageOf(page, 'Page 99.').waitFor();
    await scrollUpTo(page, 'Page 40.');
    return placeOf(page);
  };

  for (const name of ['ada', 'ben'] as const)
    it(`leads to where the reader was, from the page of the peer (${name === 'ada' ? 'desk' : 'phone'})`, async () => {
      const page = name === 'ada' ? ada : ben;
      const place = await openOlder(page);
      await page.locator('.thread-bar .thread-who').click();
      await page.waitForURL(/\/app\/u\//);
      await log(page).waitFor({ state: 'detached' });
      await page.goBack();
      await messageOf(page, place[0]).first().waitFor();
      expect(await placeOf(page)).toEqual(place);
    });

  it('shows what came meanwhile by a button, and does not move for it', async () => {
    const place = await openOlder(ben);
    await ben.locator('.thread-bar .thread-who').click();
    await ben.waitForURL(/\/app\/u\//);
    await post(ada, 'While you were away.');
    await ben.goBack();
    await messageOf(ben, place[0]).first().waitFor();
    expect(await placeOf(ben)).toEqual(place);
    await ben.getByRole('button', { name: /^Jump to latest$|new message/ }).click();
    await messageOf(ben, 'While you were away.').waitFor();
  });

  it('opens the chat at its end from the list, and where it was left at its end', async () => {
    const isAtEnd = async (page: Page) =>
      expect
        .poll(() =>
          log(page).evaluate((element) => {
            const box = element as unknown as HTMLElementLike;
            return Math.round(box.scrollHeight - box.scrollTop - box.clientHeight);
          }),
        )
        .toBeLessThan(4);
    await post(ada, 'The end of the book.');
    await visit(ada, `${service.url}/app/`);
    await log(ada).waitFor({ state: 'detached' });
    await areaLink(ada, /^Chats/).click();
    await chatLink(ada, /^ben/).click();
    await messageOf(ada, 'The end of the book.').waitFor();
    await isAtEnd(ada);
    await ada.locator('.thread-bar .thread-who').click();
    await ada.waitForURL(/\/app\/u\//);
    await ada.goBack();
    await messageOf(ada, 'The end of the book.').waitFor();
    await isAtEnd(ada);
  });
});

/** What is used of an element in a page. */
interface HTMLElementLike {
  readonly scrollHeight: number;
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly textContent: string | null;
  getBoundingClientRect(): { top: number; bottom: number };
  querySelectorAll(selector: string): Iterable<HTMLElementLike>;
}
