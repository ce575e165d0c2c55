/** How pages look with long names, large text and a right-to-left language, and how files are shown in a chat. */
import { beforeAll, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { signInAs } from '../../browser/gallery-pictures.ts';
import { gallery_day, upload, type SampleData } from '../../browser/sample-data.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import { createWav } from '../../samples/media.ts';
import { requestAs, signUp, type RunningPerson } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { multipart } from '../../samples/upload.ts';
import { useBrowserWindows, missing_browser, networkQuiet, sizes } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'the appearance of pages', () => {
  let service: Service;
  let sample: SampleData;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, sample, page } = await openSampleWindow(windows, 'phone'));
  });

  async function open(path: string): Promise<void> {
    await page.goto(`${service.url}/app/${path}`);
    await page.getByRole('main').waitFor();
    await networkQuiet(page);
  }

  async function send(by: RunningPerson, bytes: Buffer, filename: string): Promise<void> {
    const { raw, headers } = multipart(bytes, filename, 'application/octet-stream');
    const answer = await fetch(`${service.url}/v1/files`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${by.token}` },
      body: new Uint8Array(raw),
    });
    expect(answer.status).toBe(201);
    const { id } = (await answer.json()) as { id: string };
    await requestAs(service, by, `POST /dm/threads/${sample.thread_id}/chat`, { media: [id] });
  }

  it('shows the name of a tag on one line of its card, however long it is', async () => {
    const name = 'ultramarathontrainingplans';
    await requestAs(service, sample.ben, 'POST /xtags', { name });
    for (const size of ['phone', 'desk'] as const) {
      await page.setViewportSize(sizes[size]);
      await open(`t/${name}`);
      const lines = await page.evaluate(
        `(() => { const name = document.querySelector('h1.tagname'); return name.offsetHeight / parseFloat(getComputedStyle(name).fontSize); })()`,
      );
      expect(lines).toBeLessThan(1.6);
    }
    await page.setViewportSize(sizes.phone);
  });

  it('draws the constellation of a tag above its name, also on a page beside a list', async () => {
    await requestAs(service, sample.ben, 'POST /xtags', { name: 'evenings', title: 'Evenings at the pier' });
    const gap = () =>
      page.evaluate(`(() => {
        const boxOf = (part) => document.querySelector('.hero > ' + part).getBoundingClientRect();
        return boxOf('h1').top - boxOf('.net').bottom;
      })()`);
    await open('t/evenings');
    expect(await gap()).toBeGreaterThanOrEqual(0);
    await page.setViewportSize(sizes.desk);
    await open('search?q=evenings');
    await page.getByRole('link', { name: '*evenings', exact: true }).click();
    await page.getByRole('heading', { name: '*evenings', level: 1 }).waitFor();
    expect(await gap()).toBeGreaterThanOrEqual(0);
    await page.setViewportSize(sizes.phone);
  });

  it('draws the constellation above the name on the card of a reader whose tags nobody follows, however long it is', async () => {
    const olga = await signUp(service, 'olga', '+14155550131');
    await requestAs(service, olga, 'POST /xtags', { name: 'ultramarathontrainingpartners' });
    const home = await windows.open('phone');
    await home.clock.setFixedTime(new Date(gallery_day));
    await signInAs(service, home, 'olga');
    const gap = () =>
      home.evaluate(`(() => {
        const card = [...document.querySelectorAll('.own-card .tagcard')].find((one) => one.offsetWidth > 0);
        const boxOf = (part) => card.querySelector(part).getBoundingClientRect();
        return boxOf('.tagname').top - boxOf('.net').bottom;
      })()`);
    for (const size of ['phone', 'desk'] as const) {
      await home.setViewportSize(sizes[size]);
      await home.goto(`${service.url}/app/`);
      await home
        .getByText(/^Share your tag/)
        .filter({ visible: true })
        .waitFor();
      expect(await gap(), size).toBeGreaterThanOrEqual(0);
    }
    await home.context().close();
  });

  it('keeps the chips of a list on one line at a desk, which the wheel of a mouse and the keyboard scroll', async () => {
    await page.setViewportSize(sizes.desk);
    for (const [path, name] of [
      ['people', 'People'],
      ['messages', 'Show'],
    ] as const) {
      await open(path);
      await page.locator('.chips').filter({ visible: true }).first().waitFor();
      // Twice as large, no language has room for all of them.
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      const ask = (question: string) =>
        page.evaluate(`(() => {
          const line = [...document.querySelectorAll('.chips')].find((one) => one.offsetWidth > 0);
          const boxes = [line, ...line.children].map((one) => one.getBoundingClientRect());
          const last = boxes.at(-1);
          return ${question};
        })()`);
      expect(await ask('new Set(boxes.slice(1).map(({ top }) => Math.round(top))).size'), name).toBe(1);
      const isInView = () => ask('last.right <= boxes[0].right && last.left >= boxes[0].left');
      expect(await isInView()).toBe(false);
      await page.locator('.chips').filter({ visible: true }).first().hover();
      await page.mouse.wheel(0, 2000);
      await expect.poll(isInView, { message: name }).toBe(true);
      await page.mouse.wheel(0, -2000);
      await expect.poll(isInView, { message: name }).toBe(false);
      const chips = page.locator('.chips').filter({ visible: true }).first().locator(':scope > *');
      await chips.nth(-2).focus();
      await page.keyboard.press('Tab');
      await expect.poll(isInView, { message: name }).toBe(true);
      await page.evaluate(`document.documentElement.style.fontSize = ''`);
    }
    await page.setViewportSize(sizes.phone);
  });

  it('keeps the icons of the tabs visible, and no page wider than the window, at twice the text size', async () => {
    await page.addInitScript(
      `if (sessionStorage.getItem('large')) addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })`,
    );
    await page.evaluate(`sessionStorage.setItem('large', 'yes')`);
    for (const path of ['', 'messages', 'calendar', 'scheduled', 'people', 'notifications', 'search?q=jazz']) {
      await open(path);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0);
    }
    const covered =
      (await page.evaluate(`[...document.querySelectorAll('.nav a:has(.badge)')].filter((tab) => tab.offsetWidth > 0).map((tab) => {
      const [icon, badge] = [tab.querySelector('svg'), tab.querySelector('.badge')].map((element) => element.getBoundingClientRect());
      const width = Math.max(0, Math.min(icon.right, badge.right) - Math.max(icon.left, badge.left));
      const height = Math.max(0, Math.min(icon.bottom, badge.bottom) - Math.max(icon.top, badge.top));
      return (width * height) / (icon.width * icon.height);
    })`)) as number[];
    expect(covered.length).toBeGreaterThan(0);
    expect(Math.max(...covered)).toBeLessThan(0.25);
    await open('settings');
    const icon = await page.locator('.settings-list .row > svg').first().boundingBox();
    expect(icon?.width, 'an icon grows with its text').toBe(32);
    await open('calls');
    await page.locator('.grid-name').first().waitFor();
    const starts = await page.evaluate(
      `[...document.querySelectorAll('.grid-name')].map((name) => name.getBoundingClientRect().left)`,
    );
    expect(Math.min(...(starts as number[])), 'the names of favourites').toBeGreaterThanOrEqual(0);
    await page.evaluate(`sessionStorage.removeItem('large')`);
  });

  /** The elements of a page that are cut off at its sides, by their words. */
  const find_cut = `[...document.querySelectorAll('main h1, main p, main b, main button, main .cal-scale > span')]
    .filter((element) => element.closest('.visually-hidden, .chips, .strip') === null && element.offsetWidth > 0)
    .filter((element) => {
      const box = element.getBoundingClientRect();
      return box.left < -1 || box.right > innerWidth + 1;
    })
    .map((element) => element.innerText)`;

  it('cuts off no name, button or hour in the narrowest window and at twice the text size', async () => {
    const display_name = 'Donaudampfschifffahrtsgesellschaftskapitänsmützen';
    await requestAs(service, sample.ben, 'PATCH /me', { display_name });
    for (const [width, font_size] of [
      [320, ''],
      [390, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height: 640 });
      for (const path of [
        'scheduled',
        'calendar',
        'calendar?view=week',
        'call-test',
        'people',
        'people/followers',
        `status/${sample.post_id}`,
      ]) {
        await open(path);
        await page.evaluate(`document.documentElement.style.fontSize = '${font_size}'`);
        expect(await page.evaluate(find_cut), `${path} at ${width} px`).toEqual([]);
      }
    }
    await open(`messages/${sample.thread_id}`);
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    await page.locator('.thread-bar > button').last().click();
    const menu = await page.getByRole('menu').boundingBox();
    expect(menu?.x, 'the start of a menu').toBeGreaterThanOrEqual(0);
    expect((menu?.x ?? 0) + (menu?.width ?? Infinity), 'the end of a menu').toBeLessThanOrEqual(390);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 320, height: 640 });
    await open('calendar');
    const lines = `(() => { const title = document.querySelector('.cal-title > h1'); return title.offsetHeight / parseFloat(getComputedStyle(title).lineHeight); })()`;
    expect(await page.evaluate(lines), 'lines of a month of one word').toBeLessThan(1.5);
    await open('people/followers');
    const gap = `(() => {
      const [button, menu] = [...document.querySelectorAll('.list > li:first-child :is(.quiet, .icon-button)')];
      return Math.abs(button.getBoundingClientRect().top - menu.getBoundingClientRect().top);
    })()`;
    expect(await page.evaluate(gap), 'a button and the menu after it').toBeLessThan(20);
    await page.setViewportSize(sizes.phone);
    await requestAs(service, sample.ben, 'PATCH /me', { display_name: 'Ben Okafor' });
  });

  it('keeps the button of a long dialog in view, and what has the focus above it', async () => {
    await page.setViewportSize(sizes.desk);
    await open('contacts');
    await page.getByRole('button', { name: 'Add' }).click();
    const save = page.getByRole('button', { name: 'Add contact' });
    const topOfSave = async () => (await save.boundingBox())?.y ?? Infinity;
    expect(await topOfSave()).toBeLessThan(sizes.desk.height - 44);
    const note = page.getByLabel('Note');
    await note.focus();
    const box = await note.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(await topOfSave());
    await page.keyboard.press('Escape');
    await page.setViewportSize(sizes.phone);
  });

  it('shows a ring around the button of a closed menu only to those who use the keyboard', async () => {
    await open(`messages/${sample.thread_id}`);
    const more = page.locator('.thread-bar > button').last();
    const colourOfRing = () =>
      page.evaluate(
        `(() => { const { activeElement } = document; return [activeElement.getAttribute('aria-haspopup'), getComputedStyle(activeElement).outlineColor]; })()`,
      );
    await more.click();
    await page.getByRole('menuitem').first().hover();
    await more.click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    // The focus returns once the menu has left.
    await expect.poll(colourOfRing).toEqual(['menu', 'rgba(0, 0, 0, 0)']);
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(colourOfRing).toEqual(['menu', 'rgb(168, 106, 8)']);
  });

  it('opens the subject of a row wherever the row is clicked', async () => {
    await open('people');
    const row = page.getByRole('listitem').filter({ hasText: '*jazz' });
    const box = await row.boundingBox();
    if (box === null) throw new Error('there is no row of *jazz');
    // Beside the second line, where there is no text.
    await page.mouse.click(box.x + 150, box.y + box.height - 6);
    await page.waitForURL(/\/t\/jazz$/);
  });

  it('plays audio in the style of the client, shows its progress, and its time in the line of its duration', async () => {
    await send(sample.ben, createWav(), 'note.wav');
    await open(`messages/${sample.thread_id}`);
    const voice = page.locator('.msg').filter({ has: page.getByRole('group', { name: /^Audio/ }) });
    const topOf = async (part: Locator) => (await part.boundingBox())?.y;
    expect(await topOf(voice.getByRole('time'))).toBe(await topOf(voice.getByText('0:00 / 0:02')));
    // Where both are too wide for one line, none is cut off.
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    const excess = `(() => { const line = document.querySelector('.msg .player-time'); return line.scrollWidth - line.clientWidth; })()`;
    expect(await page.evaluate(excess)).toBe(0);
    await page.evaluate(`document.documentElement.style.fontSize = ''`);
    await page.getByRole('button', { name: /^Play: Audio/ }).click();
    const strokes = () =>
      page.evaluate(
        `['[data-played]', ':not([data-played])'].map((which) => { const bar = document.querySelector('.msg .waveform > path' + which); return bar && getComputedStyle(bar).stroke; })`,
      ) as Promise<[string | null, string | null]>;
    await expect.poll(async () => (await strokes()).filter((stroke) => stroke !== null).length).toBe(2);
    const [played, rest] = await strokes();
    expect(played).not.toBe(rest);
  });

  it('shows the name of a document, and saves it under that name', async () => {
    await send(sample.ben, Buffer.from('%PDF-1.7\n%%EOF'), 'Set list (final).pdf');
    await open(`messages/${sample.thread_id}`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Set list (final).pdf' }).click();
    expect((await download).suggestedFilename()).toBe('Set list (final).pdf');
  });

  it('shows the middle of a very high or wide picture in the feed, not a strip', async () => {
    for (const [width, height] of [
      [80, 1200],
      [1200, 40],
    ] as const) {
      const bytes = await sharp({ create: { width, height, channels: 3, background: '#445566' } })
        .png()
        .toBuffer();
      const media = [await upload(service, sample.ada, bytes)];
      await requestAs(service, sample.ada, 'POST /statuses', { tag_id: sample.tag_id, body: `${width}`, media });
    }
    await open('t/nightwalks');
    for (const [text, narrowest, widest] of [
      ['80', 0.4, 0.5],
      ['1200', 2.8, 3.2],
    ] as const) {
      const post = page.getByRole('article').filter({ has: page.getByText(text, { exact: true }) });
      const box = await post.locator('.media-frame').boundingBox();
      const ratio = (box?.width ?? 0) / (box?.height ?? 1);
      expect(ratio).toBeGreaterThan(narrowest);
      expect(ratio).toBeLessThan(widest);
    }
  });

  it('cuts a long name at its own end, which is the left one of an Arabic name on an English page', async () => {
    const noor = await signUp(service, 'noor', '+14155550132');
    const display_name = 'محمد عبد الرحمن بن عبد العزيز الأنصاري القرطبي';
    await requestAs(service, noor, 'PATCH /me', { display_name });
    await requestAs(service, noor, `PUT /xtags/${sample.tag_id}/follow`, {});
    await open('people/followers');
    const name = page.getByRole('link', { name: display_name });
    await name.waitFor();
    const { first, last, row } = (await page.evaluate(`(() => {
      const link = [...document.querySelectorAll('main .person-link')].find((one) => one.textContent === '${display_name}');
      const boxOf = (at) => {
        const range = document.createRange();
        range.setStart(link.firstChild, at);
        range.setEnd(link.firstChild, at + 1);
        return range.getBoundingClientRect().toJSON();
      };
      const row = link.parentElement.getBoundingClientRect().toJSON();
      return { first: boxOf(0), last: boxOf(link.firstChild.length - 1), row };
    })()`)) as Record<'first' | 'last' | 'row', { left: number; right: number }>;
    expect(first.right, 'the first letter').toBeLessThanOrEqual(row.right + 1);
    expect(last.left, 'the last letter').toBeLessThan(row.left);
  });

  it('shows what is a button and what is selected in a high contrast mode', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open('grid');
    const styleOf = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('main ${selector}')).getPropertyValue('${property}')`);
    await page.locator('main .chip[aria-current]').waitFor();
    await page.locator('main .button').first().waitFor();
    expect(await styleOf('.button', 'border-top-width')).toBe('1px');
    expect(await styleOf('.search', 'border-top-width')).toBe('1px');
    const [selected, other] = [
      await styleOf('.chip[aria-current]', 'background-color'),
      await styleOf('.chip:not([aria-current])', 'background-color'),
    ];
    expect(selected).not.toBe(other);
    await open(`messages/${sample.thread_id}`);
    await page.locator('main .msg').first().waitFor();
    expect(await styleOf('.msg', 'outline-width')).toBe('1px');
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('is written from right to left, and shows names and texts in other scripts in their own direction', async () => {
    const text = 'A long line of which the beginning is what somebody wants to see in their list of chats';
    await requestAs(service, sample.ada, `POST /dm/threads/${sample.thread_id}/chat`, { body: text });
    await requestAs(service, sample.ada, 'PATCH /me', { locale: 'ar' });
    await open('messages');
    await page.locator('html[dir="rtl"]').waitFor();
    const beginsAt = () =>
      page.evaluate(`(() => {
      const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent.indexOf('A long line');
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect().left - node.parentElement.closest('.l2').getBoundingClientRect().left;
      }
    })()`);
    await expect.poll(beginsAt).toBeGreaterThanOrEqual(0);
    await open('notifications');
    const notifications = page.locator('.notifications p');
    await notifications.first().waitFor();
    const directions = (await page.evaluate(
      `[...document.querySelectorAll('.notifications p')].map((row) => getComputedStyle(row).direction)`,
    )) as string[];
    expect(new Set(directions)).toEqual(new Set(['rtl']));
    expect((await notifications.allInnerTexts()).join('\n')).toContain('\u2068*nightwalks\u2069');
    await upload(service, sample.ben, createWav(), '/videomail/ada');
    await page.route(/\/v1\/inbox(\?|$)/, async (route) => {
      const answer = await route.fetch();
      const { items, ...rest } = (await answer.json()) as { items: object[] };
      await route.fulfill({ json: { ...rest, items: items.map((item) => ({ ...item, transcript: 'It is open.' })) } });
    });
    await open('inbox');
    await page.getByText('It is open.').waitFor();
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.transcript')).direction`)).toBe('ltr');
    await page.unrouteAll();
    await requestAs(service, sample.ada, 'PATCH /me', { locale: 'en' });
  });
});
