/** Several pictures in one message of a group: how they look, and what can be done with them. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { chatLink, messageOf, writeMessage } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import { missing_browser, openTwoPeople, sessionOf, useBrowserWindows, visit } from '../../../browser/windows.ts';
import { drawPng } from '../../../samples/media.ts';

const colours = ['teal', 'salmon', 'gold', 'navy', 'plum', 'olive', 'brown'];

describeUnlessMissing(missing_browser, 'albums', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let contact: { id: string };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    await requestAs(service, await sessionOf(ben), 'PATCH /me', { reach: { find: 'everyone' } });
    contact = await requestAs(service, await sessionOf(ada), 'POST /contacts', {
      name: 'Ben',
      phones: [{ number: '+14155550102' }],
    });
  });

  /** Opens the chat of a new group of both people. @returns its identifier */
  async function openGroup(name: string): Promise<string> {
    const [as_ada, as_ben] = [await sessionOf(ada), await sessionOf(ben)];
    const group = await requestAs(service, as_ada, 'POST /groups', { name });
    await requestAs(service, as_ada, `PUT /groups/${group.id}/members/${contact.id}`);
    const { items } = await requestAs(service, as_ben, 'GET /group-invites');
    await requestAs(service, as_ben, `POST /group-invites/${items[0].id}/accept`);
    for (const page of [ada, ben]) await visit(page, `${service.url}/app/messages/group/${group.id}`);
    return group.id;
  }

  const attach = async (page: Page, count: number) => {
    const files = await Promise.all(
      colours.slice(0, count).map(async (colour, at) => ({
        name: `${colour}.png`,
        mimeType: 'image/png',
        buffer: await drawPng(120 + 40 * at, 160, colour),
      })),
    );
    await page.locator('.write input[type=file]').setInputFiles(files);
  };
  const album = (page: Page, text: string) => messageOf(page, text).locator('.media');
  const frames = (page: Page, text: string) => album(page, text).locator('.media-frame');

  /** Sends four albums of ada, with 16 pictures in all, which ben then sees. */
  async function sendAlbums(): Promise<void> {
    for (const count of [2, 3, 4, 7]) {
      await attach(ada, count);
      await writeMessage(ada, `Album of ${String(count)}`);
      await expect.poll(() => frames(ben, `Album of ${String(count)}`).count()).toBe(Math.min(count, 4));
    }
  }

  it('are one message of a group, with a grid of two, three, four, and more', async () => {
    await openGroup('Harbour');
    await sendAlbums();
    expect(await messageOf(ben, 'Album of 2').count()).toBe(1);
    const last = frames(ben, 'Album of 7').last();
    const drawn = await ben.evaluate(
      "getComputedStyle([...document.querySelectorAll('.media[data-more] > a.media-frame:nth-of-type(4)')].at(-1), '::after').content",
    );
    expect(drawn).toContain('+3');
    expect(await last.getAttribute('aria-label')).toBe('Picture 4 of 7, posted by ada, and 3 more');
    // Each of a grid of two is a square, beside the other.
    const [one, other] = await Promise.all([0, 1].map((at) => frames(ben, 'Album of 2').nth(at).boundingBox()));
    expect(Math.abs((one?.y ?? 0) - (other?.y ?? 1))).toBeLessThan(1);
    for (const page of [ada, ben])
      expect(await inspectPage(page, `albums-${page === ada ? 'own' : 'theirs'}`)).toEqual([]);
  });

  it('lead through all of their pictures in the lightbox, and back to the one that was opened', async () => {
    await openGroup('Beach');
    await sendAlbums();
    await frames(ben, 'Album of 7').last().focus();
    await ben.keyboard.press('Enter');
    const lightbox = ben.locator('.lightbox');
    await lightbox.getByText('13 of 16').waitFor();
    for (const at of [14, 15, 16]) {
      await ben.keyboard.press('ArrowRight');
      await lightbox.getByText(`${String(at)} of 16`).waitFor();
    }
    await ben.keyboard.press('Escape');
    await lightbox.waitFor({ state: 'detached' });
    const focused = await ben.evaluate('document.activeElement.getAttribute("aria-label")');
    expect(focused).toContain('of 7');
  });

  it('are named by their number in lists and quotes, and are forwarded as a whole', async () => {
    const group_id = await openGroup('Pier');
    await attach(ada, 3);
    await ada.getByRole('button', { name: 'Send', exact: true }).click();
    await chatLink(ada, /^Pier/).getByText('3 photos').waitFor();
    const own = messageOf(ada, '')
      .filter({ has: ada.locator('[data-many="3"]') })
      .last();
    await own.hover();
    await own.getByRole('button', { name: /^More about/ }).click();
    await ada.getByRole('menuitem', { name: 'Reply', exact: true }).click();
    await ada.locator('.answering').getByText('3 photos').waitFor();
    await writeMessage(ada, 'From the pier');
    await messageOf(ben, 'From the pier').getByText('3 photos').waitFor();
    const { items } = await requestAs(service, await sessionOf(ada), `GET /groups/${group_id}/chat?limit=2`);
    expect(items[1].files.length).toBe(3);
    await own.hover();
    await own.getByRole('button', { name: /^More about/ }).click();
    await ada.getByRole('menuitem', { name: 'Forward', exact: true }).click();
    const sheet = ada.getByRole('dialog', { name: 'Forward' });
    await sheet.getByRole('checkbox', { name: /Pier/ }).check();
    await sheet.getByRole('button', { name: /^Send to/ }).click();
    await expect
      .poll(async () => {
        const { items: now } = await requestAs(service, await sessionOf(ada), `GET /groups/${group_id}/chat?limit=1`);
        return [now[0].forwarded, now[0].files?.length];
      })
      .toEqual([true, 3]);
  });

  it('are sent with all of their pictures when an upload fails at first', async () => {
    await openGroup('Lighthouse');
    let failures = 0;
    await ben.route('**/v1/files', async (route) => {
      failures += 1;
      return failures === 2 ? route.abort() : route.continue();
    });
    await attach(ben, 3);
    await writeMessage(ben, 'In the end');
    await expect.poll(() => frames(ada, 'In the end').count()).toBe(3);
    expect(failures).toBeGreaterThan(3);
    expect(await messageOf(ada, 'In the end').count()).toBe(1);
    await ben.unroute('**/v1/files');
  });
});
