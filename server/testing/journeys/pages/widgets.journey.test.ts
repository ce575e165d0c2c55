/**
 * A widget in third-party pages, in a browser: it chats and calls at an allowed origin, and is blocked at another one.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { mayBecomeGuest, widgetFrame, signUpByApi, startHostPage, type HostPage } from '../../browser/host-pages.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'a widget in a browser', () => {
  let service: Service;
  let shop: HostPage;
  let foreign: HostPage;
  let guest: Page;
  let token: string;
  let widget: { id: string; public_key: string };
  let embed: { html: string; frame_url: string };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    [service, shop, foreign] = await Promise.all([windows.startService(), startHostPage(), startHostPage()]);
    token = await signUpByApi(service, 'olga', '+14155550171');
    const { body: tag } = await service.call('POST /xtags', { token, body: { name: 'shop' } });
    const created = await service.call('POST /widgets', {
      token,
      body: { tag_id: tag.id, kind: 'call', title: 'Ask the shop', allowed_origins: [shop.origin] },
    });
    expect([created.status, created.body.error]).toEqual([201, undefined]);
    widget = created.body;
    embed = (await service.call(`GET /widgets/${widget.id}/embed`, { token })).body;
    for (const host of [shop, foreign]) host.show(embed.html);
    guest = await windows.open('phone');
    // Browsers have it only on pages that are served with TLS, or from this machine.
    await guest.addInitScript('delete Crypto.prototype.randomUUID');
  });
  afterAll(async () => {
    await Promise.all([shop.close(), foreign.close()]);
  });

  const chat = async () =>
    (await service.call(`GET /widgets/${widget.id}/chat`, { token })).body.items as {
      body: string;
      author: { guest: { id: string } | null };
    }[];

  /** Opens the widget in the page of the shop. */
  async function openWidget() {
    await guest.goto(shop.origin);
    const frame = await widgetFrame(guest, service);
    await frame.getByRole('button', { name: 'Ask the shop' }).click();
    return frame;
  }

  it('loads at most 60 kB of code, with gzip, before a call', async () => {
    const fetched = new Set<string>();
    guest.on('request', (request) => {
      if (/\/w\/assets\/.*\.(js|css)$/.test(request.url())) fetched.add(request.url());
    });
    const frame = await openWidget();
    await frame.getByRole('log').waitFor();
    guest.removeAllListeners('request');
    const sizes = [...fetched].map(async (url) => gzipSync(await (await fetch(url)).bytes()).length);
    expect(sizes.length).toBeGreaterThan(1);
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60_000);
  });

  it('is dark where the visitor prefers it, and transparent outside of its button', async () => {
    for (const head of ['', '<meta name="color-scheme" content="light dark">']) {
      shop.show(`${head}<style>body { background: rgb(0 128 0) }</style>${embed.html}`);
      await guest.emulateMedia({ colorScheme: 'dark' });
      await guest.goto(shop.origin);
      const frame = await widgetFrame(guest, service);
      await frame.getByRole('button', { name: 'Ask the shop' }).waitFor();
      const colour = await frame.evaluate("getComputedStyle(document.querySelector('.launch')).backgroundColor");
      expect(colour).toBe('rgb(84, 96, 214)');
      const { x, y } = (await guest.locator('iframe').boundingBox()) ?? { x: 0, y: 0 };
      const corner = await guest.screenshot({ clip: { x: x + 2, y: y + 2, width: 4, height: 4 } });
      const { channels } = await sharp(corner).stats();
      expect(channels.slice(0, 3).map(({ mean }) => Math.round(mean))).toEqual([0, 128, 0]);
    }
    await guest.emulateMedia({ colorScheme: null });
    shop.show(embed.html);
  });

  it('chats with the owner, live both ways', async () => {
    const frame = await openWidget();
    await frame.getByLabel('Message', { exact: true }).fill('Are you open?');
    await guest.keyboard.press('Enter');
    await frame.getByRole('log').getByText('Are you open?', { exact: true }).waitFor();
    await expect.poll(async () => (await chat())[0]?.body).toBe('Are you open?');
    const guest_id = (await chat())[0]?.author.guest?.id;
    const sizes: number[] = [];
    for (const body of ['See you there 🎺', '🎺🎉']) {
      await service.call(`POST /widgets/${widget.id}/chat`, { token, body: { body, guest_id } });
      await frame.getByRole('log').getByText(body, { exact: true }).waitFor();
      const size = await frame.evaluate<number>(
        `parseFloat(getComputedStyle([...document.querySelectorAll('li > span')].find((one) => one.innerText === '${body}')).fontSize)`,
      );
      sizes.push(size);
    }
    // A few emoji alone are large.
    expect(sizes[1]).toBeGreaterThan(2 * (sizes[0] ?? 0));
    const reply = await service.call(`POST /widgets/${widget.id}/chat`, {
      token,
      body: { body: 'Until six.', guest_id },
    });
    expect(reply.status).toBe(201);
    await frame.getByRole('log').getByText('Until six.', { exact: true }).waitFor();
    expect(await guest.context().cookies()).toEqual([]);
    // It fits a phone, and Escape closes it.
    const box = await guest.locator('iframe').boundingBox();
    expect([box?.width, (box?.x ?? 0) + (box?.width ?? 0)]).toEqual([390, 390]);
    await guest.keyboard.press('Escape');
    await frame.getByRole('button', { name: 'Ask the shop' }).click();
  });

  it("reacts, replies, edits and deletes, and shows the owner's changes live", async () => {
    const frame = await openWidget();
    const messageOf = (text: string) => frame.getByRole('log').getByRole('listitem').filter({ hasText: text });
    const open = (text: string) => messageOf(text).locator('summary').click();
    const newest = async () => {
      const { body } = await service.call(`GET /widgets/${widget.id}/chat`, { token });
      return body.items as { id: string; body: string; reply_to: string | null; deleted_at: string | null }[];
    };
    await frame.getByLabel('Message', { exact: true }).fill('How late is it?');
    await guest.keyboard.press('Enter');
    await expect.poll(async () => (await newest())[0]?.body).toBe('How late is it?');
    const guest_id = (await chat())[0]?.author.guest?.id;
    await service.call(`POST /widgets/${widget.id}/chat`, { token, body: { body: 'Half past six.', guest_id } });
    await open('Half past six.');
    await messageOf('Half past six.').getByRole('group', { name: 'React' }).getByRole('button', { name: '❤️' }).click();
    await messageOf('Half past six.')
      .locator('.reactions')
      .getByRole('button', { name: '❤️', pressed: true })
      .waitFor();
    await open('Half past six.');
    await messageOf('Half past six.').getByRole('button', { name: 'Reply' }).click();
    await frame.getByLabel('Message', { exact: true }).fill('I come at five');
    await guest.keyboard.press('Enter');
    await messageOf('I come at five').locator('q', { hasText: 'Half past six.' }).waitFor();
    await open('I come at five');
    await messageOf('I come at five').getByRole('button', { name: 'Edit', exact: true }).click();
    await frame.getByLabel('Message', { exact: true }).fill('I come at four');
    await guest.keyboard.press('Enter');
    await messageOf('I come at four').getByText('Edited').waitFor();
    const [own_message, answer] = await newest();
    expect([own_message?.body, own_message?.reply_to]).toEqual(['I come at four', answer?.id]);
    await service.call(`PUT /widgets/${widget.id}/chat/${own_message?.id}/reaction`, { token, body: { emoji: '👍' } });
    await messageOf('I come at four')
      .locator('.reactions')
      .getByRole('button', { name: '👍', pressed: false })
      .waitFor();
    await service.call(`PATCH /widgets/${widget.id}/chat/${answer?.id}`, { token, body: { body: 'Half past seven.' } });
    await messageOf('Half past seven.').waitFor();
    await open('I come at four');
    await messageOf('I come at four').getByRole('button', { name: 'Delete' }).click();
    await messageOf('I come at four').getByRole('button', { name: 'Delete it?' }).click();
    await expect.poll(async () => (await newest())[0]?.deleted_at).not.toBe(null);
    await messageOf('Deleted').waitFor();
  });

  it('calls the owner, who is notified, and hangs up', async () => {
    const frame = await openWidget();
    await guest.route(/\/widgets\/[^/]+\/chat$/, (route) => route.fulfill({ status: 429, json: {} }), { times: 1 });
    await frame.getByRole('textbox', { name: 'Message' }).fill('Are you there?');
    await frame.getByRole('button', { name: 'Send', exact: true }).click();
    await frame.getByText('Too many messages. Wait a moment.').waitFor();
    await frame.getByRole('button', { name: 'Call', exact: true }).click();
    await frame.getByText('Ringing…').waitFor();
    expect(await frame.getByText('Too many messages.').count()).toBe(0);
    await expect.poll(async () => (await service.caught('olga'))[0]?.text).toBe('Guest is calling olga');
    const code = (await service.caught('olga'))[0]?.links[0]?.split('/').at(-1);
    const read = async () => (await service.call(`GET /calls/${code}`, { token })).body;
    await expect.poll(async () => (await read()).participants[0].state).toBe('joined');
    await frame.getByRole('button', { name: 'Hang up' }).click();
    await expect.poll(async () => (await read()).participants[0].state).toBe('left');
    await frame.getByRole('button', { name: 'Call', exact: true }).waitFor();
  });

  it('is blocked in the page of another origin, which cannot create a guest either', async () => {
    const page = await windows.open();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(foreign.origin);
    await page.waitForSelector('iframe[data-asterism]', { state: 'attached' });
    await expect.poll(() => complaints.join('\n')).toMatch(/frame-ancestors/);
    expect(await mayBecomeGuest(page, service, widget.public_key)).toBe(false);
    expect(page.frames().some((frame) => frame.url().includes('/w/') && !frame.isDetached())).toBe(false);
  });

  it('shows within three seconds that it was switched off', async () => {
    const frame = await openWidget();
    await frame.getByRole('log').waitFor();
    const before = Date.now();
    await service.call(`PATCH /widgets/${widget.id}`, { token, body: { enabled: false } });
    await frame.getByText('This widget is turned off.').waitFor({ timeout: 3000 });
    expect(Date.now() - before).toBeLessThan(3000);
    const again = await openWidget();
    await again.getByText('This widget is turned off.').waitFor();
    await service.call(`PATCH /widgets/${widget.id}`, { token, body: { enabled: true } });
  });
});
