/** Pictures of a long chat in the lightbox: going back past the oldest loaded one loads older messages. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { missing_browser, sessionOf, signUp, useBrowserWindows, visit } from '../../../browser/windows.ts';
import { requestAs } from '../../../running/running-people.ts';
import type { Service } from '../../../running/running-service.ts';

/** More than two pages, so that one of them has no picture. */
const texts = 70;

describeUnlessMissing(missing_browser, 'the pictures of a long chat', () => {
  let service: Service;
  let ada: Page;
  let chat: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    [service, ada] = await Promise.all([windows.startService(), windows.open('desk')]);
    await signUp(service, ada, 'ada', '+14155550101');
    chat = (await post('POST /groups', { name: 'Long pier' })).id;
    for (const colour of ['#6a3aa5', '#3aa56e']) await send({ file_id: await upload(colour) });
    for (let at = 0; at < texts; at += 1) await send({ body: `Plank ${at}` });
    await send({ file_id: await upload('#a5953a') });
  });

  const post = async (route: string, body: object) => requestAs(service, await sessionOf(ada), route, body);
  const send = (body: object) => post(`POST /groups/${chat}/chat`, body);
  async function upload(background: string): Promise<string> {
    const buffer = await sharp({ create: { width: 1200, height: 800, channels: 3, background } })
      .png()
      .toBuffer();
    const { token } = await sessionOf(ada);
    const answer = await ada.request.post(`${service.url}/v1/files`, {
      headers: { authorization: `Bearer ${token}` },
      multipart: { file: { name: 'pier.png', mimeType: 'image/png', buffer } },
    });
    return ((await answer.json()) as { id: string }).id;
  }
  const lightbox = () => ada.locator('.lightbox:not([data-leaving])');
  const isNumbered = (text: string) => lightbox().getByText(text, { exact: true }).waitFor();
  /** The centre of the shown picture, which is that of the window. */
  async function centre(): Promise<number> {
    const shown = lightbox().locator('.lightbox-slide[aria-hidden=false] .lightbox-picture');
    const { x, width } = (await shown.boundingBox()) ?? { x: 0, width: 0 };
    return Math.round(x + width / 2);
  }
  const link = () => ada.getByRole('log').getByRole('link', { name: 'Picture, posted by you' });
  const isOff = (name: string) => ada.getByRole('button', { name }).getAttribute('aria-disabled');

  /** Opens the chat anew, with its newest page only. */
  async function openChat(): Promise<void> {
    await visit(ada, `${service.url}/app/`);
    await visit(ada, `${service.url}/app/messages/group/${chat}`);
  }

  it('are loaded by going back, also after a failure, and then have numbers', async () => {
    await openChat();
    await link().click();
    await expect.poll(centre).toBe(640);
    let requested = 0;
    let is_cut_off = true;
    await ada.route('**/chat?*before_id=*', async (route) => {
      requested += 1;
      await (is_cut_off ? route.abort() : route.continue());
    });
    // How many there are is not known yet.
    expect(
      await lightbox()
        .getByText(/^\d+ of \d+$/)
        .count(),
    ).toBe(0);
    await ada.keyboard.press('ArrowLeft');
    await ada.getByText('Couldn’t load older pictures. Check the connection and try again.').waitFor();
    expect([await centre(), await isOff('Previous picture')]).toEqual([640, 'false']);
    [requested, is_cut_off] = [0, false];
    await ada.getByRole('button', { name: 'Previous picture' }).click();
    await isNumbered('2 of 3');
    expect(requested).toBeGreaterThan(1);
    expect(await inspectPage(ada, 'lightbox-older', 'each')).toEqual([]);
    await ada.keyboard.press('ArrowLeft');
    await isNumbered('1 of 3');
    expect([await centre(), await isOff('Previous picture')]).toEqual([640, 'true']);
    await ada.keyboard.press('End');
    await isNumbered('3 of 3');
    await expect.poll(centre).toBe(640);
    await ada.keyboard.press('Escape');
    await expect
      .poll(() => ada.evaluate("document.activeElement.getAttribute('aria-label')"))
      .toBe('Picture, posted by you');
    await ada.unrouteAll();
  });

  it('say that they are being loaded, unless the reader moves on', async () => {
    await openChat();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await ada.route('**/chat?*before_id=*', async (route) => {
      await released;
      await route.continue();
    });
    await link().click();
    await expect.poll(centre).toBe(640);
    await ada.keyboard.press('ArrowLeft');
    await lightbox().getByText('Loading older pictures…').waitFor();
    expect(await isOff('Previous picture')).toBe('true');
    release();
    await isNumbered('2 of 3');
    expect(await lightbox().getByText('Loading older pictures…').count()).toBe(0);
    await ada.unrouteAll();
    await ada.keyboard.press('Escape');
    await lightbox().waitFor({ state: 'detached' });
  });

  it('are left out once they are deleted, and the lightbox closes with the last one', async () => {
    chat = (await post('POST /groups', { name: 'Short pier' })).id;
    const sent: string[] = [];
    for (const colour of ['#6a3aa5', '#3aa56e', '#a5953a'])
      sent.push((await send({ file_id: await upload(colour) })).id);
    const remove = async (at: number) =>
      requestAs(service, await sessionOf(ada), `DELETE /groups/${chat}/chat/${sent[at]}`);
    await visit(ada, `${service.url}/app/messages/group/${chat}`);
    await link().nth(2).click();
    await isNumbered('3 of 3');
    await ada.keyboard.press('ArrowLeft');
    await isNumbered('2 of 3');
    // One that is not shown leaves the shown one in its place.
    await remove(0);
    await isNumbered('1 of 2');
    await expect.poll(centre).toBe(640);
    // The shown one gives way to the next, and that to the one before.
    await remove(1);
    await lightbox().getByText('1 of 2', { exact: true }).waitFor({ state: 'detached' });
    await expect.poll(centre).toBe(640);
    expect(await lightbox().locator('.lightbox-slide').count()).toBe(1);
    expect(await inspectPage(ada, 'lightbox-deleted', 'each')).toEqual([]);
    await remove(2);
    await lightbox().waitFor({ state: 'detached' });
    await ada.getByRole('status').getByText('Message deleted').waitFor();
    expect(ada.url()).toContain(`/app/messages/group/${chat}`);
    await expect.poll(() => ada.getByRole('log').getByText('Message deleted').count()).toBe(3);
  });
});
