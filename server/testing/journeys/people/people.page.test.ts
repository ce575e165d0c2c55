/** The social features in two browsers, on a desktop and a phone: post, reply, media, comment, block. */
import { beforeAll, expect, it } from 'vitest';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { focusedElement, inspectPage, tabTo } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  composeStatus,
  missing_browser,
  openTwoPeople,
  postStatus,
  sessionOf,
  useBrowserWindows,
  waitForHome,
  visit,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

/** The part of an audio element that these tests use. */
type Player = { readonly currentTime: number; play(): Promise<void> };

describeUnlessMissing(missing_browser, 'people in two browsers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  const as = async (page: Page, route: string, fields?: object) =>
    requestAs(service, await sessionOf(page), route, fields);
  /** A post of ada with a reply of ben. */
  async function postWithReply(text: string, reply: string): Promise<void> {
    const { id } = await as(ada, 'POST /statuses', { body: text });
    await as(ben, `POST /statuses/${id}/replies`, { body: reply });
  }
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    const { id } = await as(ada, 'POST /xtags', { name: 'jazz', title: 'Evenings of jazz' });
    await as(ben, `PUT /xtags/${id}/follow`);
  });
  /** Both people's home pages, with all posts until now. */
  async function openHome(): Promise<void> {
    for (const page of [ada, ben]) {
      await page.goto(`${service.url}/app/`);
      await waitForHome(page);
    }
  }

  const statusOf = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

  it('announces a new post without moving the feed, and shows the reply to its author', async () => {
    await openHome();
    await ben.getByRole('heading', { name: 'Feed' }).waitFor();
    await composeStatus(ada);
    await ada.getByRole('button', { name: 'Tag: No tag' }).click();
    await ada.getByRole('menuitemradio', { name: '*jazz' }).click();
    await ada.getByRole('button', { name: 'Tag: *jazz' }).waitFor();
    await postStatus(ada, 'Tonight at eight, with @ben on the bass');
    await statusOf(ada, 'Tonight at eight').getByRole('button', { name: 'Reply' }).waitFor();
    await ben.getByRole('button', { name: '1 new post' }).waitFor();
    expect(await statusOf(ben, 'Tonight at eight').count()).toBe(0);
    await tabTo(ben, /^1 new post$/);
    await ben.keyboard.press('Enter');
    await statusOf(ben, 'Tonight at eight').waitFor();

    await tabTo(ben, /^Reply$/);
    await ben.keyboard.press('Enter');
    await ben.getByLabel('Reply to ada').waitFor();
    await tabTo(ben, /^Reply to ada$/);
    await ben.keyboard.type('I will be there');
    await ben.keyboard.press('Control+Enter');
    await ben.getByText('I will be there').waitFor();

    await statusOf(ada, 'Tonight at eight').getByRole('button', { name: '1 reply' }).click();
    await ada.getByText('I will be there').waitFor();
    await areaLink(ada, /unread/).click();
    await ada.getByRole('link', { name: 'ben replied to your post' }).first().waitFor();
    await areaLink(ada, /^Activity$/).waitFor();
    await ada.getByRole('link', { name: 'ben replied to your post' }).first().click();
    await ada.getByRole('heading', { name: 'Post by ada' }).waitFor();
    await ada.getByText('I will be there').waitFor();
    expect(await inspectPage(ada, 'status', 'each')).toEqual([]);
  });

  it('keeps a new reply when an older list of replies arrives after it', async () => {
    await postWithReply('Who joins me on Friday?', 'I shall be there');
    await openHome();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    // The list was read before the reply was written, and arrives after it.
    await ben.route(/\/v1\/.*\/replies/, async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      await released;
      await route.fulfill({ response }).catch(() => undefined);
    });
    await statusOf(ben, 'Who joins me').getByRole('button', { name: '1 reply' }).click();
    await ben.getByLabel('Reply to ada').fill('And so will Cleo');
    const sent = ben.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/replies'),
    );
    await ben.getByRole('button', { name: 'Send reply' }).click();
    await sent;
    release();
    await ben.getByText('And so will Cleo').waitFor();
    await ben.getByText('I shall be there').waitFor();
    await ben.unrouteAll({ behavior: 'wait' });
    await ben
      .getByRole('button', { name: /^Delete.* this reply/ })
      .last()
      .click();
    await ben.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await statusOf(ada, 'Who joins me').getByRole('button', { name: '1 reply' }).waitFor();
  });

  it('edits and deletes a post for all its readers', async () => {
    await as(ada, 'POST /statuses', { body: 'Tomorrow at eight' });
    await openHome();
    const menu = () => statusOf(ada, 'Tomorrow at').getByRole('button', { name: /^More about this post/ });
    await menu().click();
    await ada.getByRole('menuitem', { name: 'Edit' }).click();
    await ada.getByLabel('Your post').fill('Tomorrow at nine');
    await ada.getByRole('button', { name: 'Save' }).click();
    await statusOf(ben, 'Tomorrow at nine').waitFor();
    await menu().click();
    await ada.getByRole('menuitem', { name: 'Earlier versions' }).click();
    await ada.getByRole('dialog').getByText('Tomorrow at eight').waitFor();
    await ada.keyboard.press('Escape');
    await expect.poll(async () => (await focusedElement(ada)).name).toBe('More about this post by ada');

    await postStatus(ada, 'This was a mistake');
    await ben.getByRole('button', { name: '1 new post' }).click();
    await statusOf(ben, 'This was a mistake').waitFor();
    await statusOf(ada, 'This was a mistake')
      .getByRole('button', { name: /^More about this post/ })
      .click();
    await ada.getByRole('menuitem', { name: 'Delete' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => statusOf(ben, 'This was a mistake').count()).toBe(0);
  });

  it('reserves the space of an image before it is loaded', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const picture = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#b03020', noise } })
      .jpeg()
      .toBuffer();
    await openHome();
    await composeStatus(ada);
    await ada.getByLabel('Add files').setInputFiles({ name: 'band.jpg', mimeType: 'image/jpeg', buffer: picture });
    await ada.getByRole('list', { name: 'Attached' }).locator('img').waitFor();
    await postStatus(ada, 'The band, yesterday');
    await statusOf(ada, 'The band, yesterday').getByRole('button', { name: 'Reply' }).waitFor();

    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await ben.route('**/v1/files/**', async (route) => {
      await held;
      await route.continue();
    });
    // Its picture is part of what the page waits for.
    await ben.reload({ waitUntil: 'commit' });
    const shown = statusOf(ben, 'The band, yesterday');
    await shown.getByRole('img', { name: 'Picture, posted by ada' }).waitFor();
    await ben.waitForFunction("document.fonts.check('16px Figtree')");
    const before = await shown.boundingBox();
    const frame = await shown.locator('.media-frame').boundingBox();
    expect((frame?.width ?? 0) / (frame?.height ?? 1)).toBeCloseTo(1.5, 1);
    release();
    await expect
      .poll(() =>
        shown
          .locator('.media-frame img')
          .evaluate((image: unknown) => (image as { naturalWidth: number }).naturalWidth),
      )
      .toBeGreaterThan(0);
    expect(await shown.boundingBox()).toEqual(before);
    await ben.unroute('**/v1/files/**');
  });

  it('shows the files of a tag in the order that its owner chooses', async () => {
    const draw = (background: string, width: number) =>
      sharp({ create: { width, height: 300, channels: 3, background } })
        .jpeg()
        .toBuffer();
    const files = [
      { name: 'stage.jpg', mimeType: 'image/jpeg', buffer: await draw('#b03020', 600) },
      { name: 'poster.jpg', mimeType: 'image/jpeg', buffer: await draw('#2040b0', 200) },
    ];
    await visit(ada, `${service.url}/app/tags`);
    await ada.getByRole('listitem').getByRole('link', { name: '*jazz' }).click();
    await ada.getByRole('heading', { name: 'Media' }).waitFor();
    await ada.getByLabel('Add files').setInputFiles(files);
    await ada.getByRole('button', { name: 'Move Picture 2 up' }).click();
    const rows = ada.getByRole('list', { name: 'What it shows' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await inspectPage(ada, 'tag-media', 'each')).toEqual([]);
    const widths = () =>
      ben
        .locator('.media-frame img')
        .evaluateAll((all: unknown[]) =>
          all.map((image) => (image as { getAttribute(name: string): string }).getAttribute('width')),
        );
    await expect
      .poll(async () => {
        await visit(ben, `${service.url}/app/t/jazz`);
        await ben.getByRole('img', { name: /^Picture 1 of 2/ }).waitFor();
        return widths();
      })
      .toEqual(['200', '600']);

    // An error of the service is shown, and stays until it is dismissed.
    await ada.getByLabel('Add files').setInputFiles({
      name: 'odd.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 3]),
    });
    await rows.getByRole('alert').waitFor();
    await ada.getByRole('button', { name: 'Remove odd.jpg' }).click();
    await ada.route('**/v1/xtags/*/media/*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'conflict', message: 'It is broken.' } } }),
    );
    await ada.getByRole('button', { name: 'Remove Picture 1' }).click();
    await ada.getByText('Couldn’t save. It is broken.').waitFor();
    expect(await rows.count()).toBe(2);
    await ada.unroute('**/v1/xtags/*/media/*');
    await ada.getByRole('button', { name: 'Remove Picture 1' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await expect
      .poll(async () => {
        await ben.reload();
        await ben.getByRole('img', { name: 'Picture, posted by ada' }).waitFor();
        return widths();
      })
      .toEqual(['600']);
  });

  it('records audio, attaches it to a post, and plays it to others', async () => {
    await openHome();
    await composeStatus(ada);
    await ada.getByRole('button', { name: 'Record' }).click();
    await ada.getByRole('button', { name: 'Stop recording' }).waitFor();
    await ada.getByRole('button', { name: 'Stop recording' }).getByText('0:01').waitFor();
    await ada.getByRole('button', { name: 'Stop recording' }).click();
    const attached = ada.getByRole('list', { name: 'Attached' });
    await attached.getByText('recording.webm', { exact: true }).waitFor();
    await expect.poll(() => attached.getByRole('progressbar').count()).toBe(0);
    await postStatus(ada, 'How it sounds');
    await ben.getByRole('button', { name: '1 new post' }).click();
    const audio = statusOf(ben, 'How it sounds').locator('audio');
    const played = () => audio.evaluate((element: unknown) => (element as Player).currentTime);
    await audio.evaluate((element: unknown) => (element as Player).play());
    await expect.poll(played).toBeGreaterThan(0.2);
  });

  it('reverts an optimistic update when the service refuses it', async () => {
    await visit(ben, `${service.url}/app/people`);
    // In the page itself: requests through its service worker are not visible from outside.
    await ben.evaluate(`{
      const real = fetch;
      const refusal = { error: { code: 'conflict', message: 'It is broken.' } };
      globalThis.fetch = (input, init) => String(input.url ?? input).endsWith('/follow')
        ? Promise.resolve(new Response(JSON.stringify(refusal), { status: 409, headers: { 'content-type': 'application/json' } }))
        : real(input, init);
      globalThis.endRefusing = () => { globalThis.fetch = real; };
    }`);
    await ben.getByRole('button', { name: /^Following \*jazz/ }).click();
    await ben.getByText('Couldn’t unfollow *jazz. It is broken.').waitFor();
    await ben.getByRole('button', { name: /^Following \*jazz/ }).waitFor();
    await ben.evaluate('endRefusing()');
  });

  it('shows that it is offline, restores the text of a failed post, and continues afterwards', async () => {
    await openHome();
    await ben.context().setOffline(true);
    await ben.getByText('You are offline.').waitFor();
    await postStatus(ben, 'Is anybody there?');
    await statusOf(ben, 'Is anybody there?').getByText('Sending…').waitFor();
    await ben.getByRole('alert').getByText('Try again when you are connected.').waitFor();
    expect(await statusOf(ben, 'Is anybody there?').count()).toBe(0);
    expect(await ben.getByLabel('What is new?').inputValue()).toBe('Is anybody there?');
    await postStatus(ada, 'Said while ben was away');
    await ben.context().setOffline(false);
    await ben.getByText('You are connected again.').waitFor();
    await ben.getByRole('button', { name: 'Post', exact: true }).click();
    await ben.getByRole('button', { name: '1 new post' }).waitFor();
    await statusOf(ben, 'Is anybody there?').getByRole('button', { name: 'Reply' }).waitFor();
  });

  it('shows a comment to the owner at once, and opens it from the notification', async () => {
    for (const page of [ada, ben]) {
      await visit(page, `${service.url}/app/t/jazz`);
      await page.getByRole('heading', { name: 'Comments' }).waitFor();
    }
    await ben.getByLabel('Your comment').fill('Where is the hall?');
    await ben.getByRole('button', { name: 'Comment', exact: true }).click();
    await ada.getByText('Where is the hall?').waitFor();
    const comment = ben.getByRole('listitem').filter({ hasText: 'Where is the hall?' });
    await comment.getByRole('button', { name: 'Delete this comment by ben' }).click();
    await ben.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => ada.getByText('Where is the hall?').count()).toBe(0);
    await ben.getByLabel('Your comment').fill('Where is the hall, then?');
    await ben.getByRole('button', { name: 'Comment', exact: true }).click();
    await ada.getByText('Where is the hall, then?').waitFor();
    await visit(ada, `${service.url}/app/notifications`);
    await ada.getByRole('link', { name: 'ben commented on *jazz' }).first().click();
    await ada.getByText('Where is the hall, then?').waitFor();
  });

  it('shows all its pages without accessibility problems', async () => {
    const found: string[] = [];
    await visit(ben, `${service.url}/app/t/jazz`);
    await ben.getByLabel('Your comment').fill('See you at *jazz, https://example.org/band');
    await ben.getByRole('button', { name: 'Comment', exact: true }).click();
    await ben.getByText('See you at').waitFor();
    await ben.getByRole('button', { name: 'More about ada' }).first().click();
    await ben.getByRole('menuitem', { name: 'Report ada' }).click();
    await ben.getByRole('dialog').waitFor();
    found.push(...(await inspectPage(ben, 'report', 'each')));
    await ben.keyboard.press('Escape');
    for (const [page, path, ready] of [
      [ada, '', 'Good '],
      [ben, 't/jazz', '*jazz'],
      [ben, 'search?q=jaz', 'Search'],
      [ben, 'people', 'What you follow'],
      [ada, 'people/requests', 'No requests'],
      [ada, 'people/followers', 'Who follows you'],
      [ada, 'tags', 'Your tags'],
      [ada, 'notifications', 'Activity'],
      [ada, 'settings/notifications', 'Get notified about'],
      [ada, 'settings/blocks', 'Blocked people'],
      [ada, 't/nothing', 'Profile not found'],
    ] as const) {
      await visit(page, `${service.url}/app/${path}`);
      await page.getByRole('heading', { name: ready }).first().waitFor();
      await expect.poll(() => page.getByText(/^(Loading|Searching)/).count()).toBe(0);
      found.push(...(await inspectPage(page, path.replaceAll(/\W+/g, '-') || 'feed', 'each')));
    }
    await visit(ada, `${service.url}/app/tags`);
    await ada.getByRole('listitem').getByRole('link', { name: '*jazz' }).click();
    await ada.getByRole('button', { name: 'Edit' }).waitFor();
    found.push(...(await inspectPage(ada, 'tag', 'each')));
    expect(found).toEqual([]);
  });

  it('hides two people from each other when one blocks the other', async () => {
    await postWithReply('Who is in the front row?', 'I have two tickets');
    await as(ben, 'POST /statuses', { body: 'On my way home' });
    await openHome();
    await statusOf(ada, 'front row').getByRole('button', { name: '1 reply' }).click();
    await ada.getByRole('button', { name: 'More about ben' }).click();
    await ada.getByRole('menuitem', { name: 'Block @ben' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
    await ada.getByText('ben is blocked. They won’t be notified.').waitFor();
    await expect.poll(() => ada.getByText('I have two tickets').count()).toBe(0);

    await ben.goto(`${service.url}/app/t/jazz`);
    await ben.getByRole('heading', { name: 'Profile not found' }).waitFor();
    await areaLink(ben, /Home/).click();
    await statusOf(ben, 'On my way home').waitFor();
    await expect.poll(() => statusOf(ben, 'front row').count()).toBe(0);

    await areaLink(ada, /^You$/).click();
    await ada.getByRole('link', { name: 'Blocked people' }).click();
    await ada.getByRole('button', { name: 'Unblock ben' }).waitFor();
    expect(await inspectPage(ada, 'blocked', 'each')).toEqual([]);
    await ada.getByRole('button', { name: 'Unblock ben' }).click();
    await ada.getByText('No one is blocked').waitFor();
    await ben.goto(`${service.url}/app/t/jazz`);
    // A block ends what one follows of the other.
    await ben.getByRole('button', { name: 'Follow *jazz', exact: true }).click();
    await ben.getByRole('button', { name: /^Following \*jazz/ }).waitFor();
  });
});
