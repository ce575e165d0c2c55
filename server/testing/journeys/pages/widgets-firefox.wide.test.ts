/** A widget in third-party pages, in Firefox: it chats live at an allowed origin, and is blocked at another one. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { useFirefoxWindows, missing_firefox } from '../../browser/firefox-windows.ts';
import { mayBecomeGuest, widgetFrame, signUpByApi, startHostPage, type HostPage } from '../../browser/host-pages.ts';
import { startService, type Service } from '../../running/running-service.ts';
import { missing_browser } from '../../browser/windows.ts';

describeUnlessMissing(missing_firefox ?? missing_browser, 'a widget in Firefox', () => {
  let service: Service;
  let shop: HostPage;
  let foreign: HostPage;
  let token: string;
  let widget: { id: string; public_key: string };
  const windows = useFirefoxWindows();
  beforeAll(async () => {
    [service, shop, foreign] = await Promise.all([startService(), startHostPage(), startHostPage()]);
    token = await signUpByApi(service, 'olga', '+14155550171');
    const { body: tag } = await service.call('POST /xtags', { token, body: { name: 'shop' } });
    const body = { tag_id: tag.id, kind: 'chat', title: 'Ask the shop', allowed_origins: [shop.origin] };
    widget = (await service.call('POST /widgets', { token, body })).body;
    const { html } = (await service.call(`GET /widgets/${widget.id}/embed`, { token })).body;
    for (const host of [shop, foreign]) host.show(html);
  });
  afterAll(async () => {
    await Promise.all([shop.close(), foreign.close()]);
    await service.close();
  });

  it('chats with the owner, live both ways', async () => {
    const page = await windows.open('phone');
    await page.goto(shop.origin);
    const frame = await widgetFrame(page, service);
    await frame.getByRole('button', { name: 'Ask the shop' }).click();
    await frame.getByLabel('Message', { exact: true }).click();
    await page.keyboard.type('Are you open?');
    await page.keyboard.press('Enter');
    const read = async () => (await service.call(`GET /widgets/${widget.id}/chat`, { token })).body.items[0];
    await expect.poll(async () => (await read())?.body).toBe('Are you open?');
    const guest_id = (await read()).author.guest.id;
    await service.call(`POST /widgets/${widget.id}/chat`, { token, body: { body: 'Until six.', guest_id } });
    await frame.getByRole('log').getByText('Until six.', { exact: true }).waitFor();
    await service.call(`PATCH /widgets/${widget.id}`, { token, body: { enabled: false } });
    await frame.getByText('This widget is turned off.').waitFor();
    await service.call(`PATCH /widgets/${widget.id}`, { token, body: { enabled: true } });
    expect(windows.console_errors).toEqual([]);
  });

  it('is blocked in the page of another origin, which cannot create a guest either', async () => {
    const page = await windows.open();
    await page.goto(foreign.origin);
    const frame = await widgetFrame(page, service);
    await page.waitForLoadState('load');
    expect(await mayBecomeGuest(page, service, widget.public_key)).toBe(false);
    expect(await frame.locator('#widget').count()).toBe(0);
  });
});
