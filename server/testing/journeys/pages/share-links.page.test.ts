/** Links of tags, groups and calls in the system's share sheet, and what happens where there is none. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { missing_browser, sessionOf, signUp, useBrowserWindows } from '../../browser/windows.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';

/** A share sheet that stores what it is given, and is closed, or fails, as the page says. */
const share_sheet = `
  window.shared = [];
  navigator.share = async (content) => {
    window.shared.push(content);
    if (window.refusal !== undefined) throw new DOMException('refused', window.refusal);
  };
`;
const no_share_sheet = 'delete Navigator.prototype.share;';

describeUnlessMissing(missing_browser, 'sharing links', () => {
  let service: Service;
  let phone: Page;
  let desk: Page;
  let group_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    [service, phone, desk] = await Promise.all([windows.startService(), windows.open('phone'), windows.open('desk')]);
    for (const page of [phone, desk]) {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write', 'camera', 'microphone']);
    }
    await phone.addInitScript(share_sheet);
    await desk.addInitScript(no_share_sheet);
    await signUp(service, phone, 'ada', '+14155550101');
    await signUp(service, desk, 'ben', '+14155550102');
    for (const [page, tag] of [
      [phone, 'evenings'],
      [desk, 'mornings'],
    ] as const)
      await requestAs(service, await sessionOf(page), 'POST /xtags', { name: tag });
    ({ id: group_id } = await requestAs(service, await sessionOf(phone), 'POST /groups', { name: 'Choir' }));
  });

  const open = (page: Page, path: string) => page.goto(`${service.url}/app${path}`);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const shared = (page: Page) => page.evaluate('window.shared.splice(0)');
  const toast = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true });
  const copied = (page: Page) => page.evaluate('navigator.clipboard.readText()');
  const refuse = (page: Page, name: string) => page.evaluate(`window.refusal = ${JSON.stringify(name)}`);

  it('opens the sheet for a tag, from its card and from the invites', async () => {
    const tag = { title: '*evenings', url: `${service.url}/t/evenings` };
    await open(phone, '/');
    await press(phone, 'Share *evenings');
    const dialog = phone.getByRole('dialog', { name: 'Share *evenings' });
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    expect(await shared(phone)).toEqual([tag]);
    await open(phone, '/invites');
    await press(phone, 'Share');
    expect(await shared(phone)).toEqual([tag]);
    expect(await toast(phone, 'Link copied.').count()).toBe(0);
  });

  it('opens the sheet for the invite link of a group, and copies nothing when it is closed', async () => {
    await open(phone, `/groups/${group_id}`);
    await press(phone, 'Create invite link');
    const url = await phone.locator('.group-link').innerText();
    await press(phone, 'Share');
    const dialog = phone.getByRole('dialog', { name: 'Join Choir' });
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    expect(await shared(phone)).toEqual([{ title: 'Join Choir', url }]);
    await refuse(phone, 'AbortError');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    expect(await shared(phone)).toHaveLength(1);
    expect(await toast(phone, 'Link copied.').count()).toBe(0);

    // A sheet that cannot be opened, such as in a page without the permission for it, is not the end.
    await refuse(phone, 'NotAllowedError');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await toast(phone, 'Link copied.').waitFor();
    expect(await copied(phone)).toBe(url);
  });

  it('copies the link, and says so, where the system has no share sheet', async () => {
    await open(desk, '/');
    await press(desk, 'Share *mornings');
    const dialog = desk.getByRole('dialog', { name: 'Share *mornings' });
    expect(await dialog.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await toast(desk, 'Link copied.').waitFor();
    expect(await copied(desk)).toBe(`${service.url}/t/mornings`);
    await open(desk, '/invites');
    await press(desk, 'Copy');
    await toast(desk, 'Link copied.').waitFor();
  });

  it('opens the sheet for a call that nobody else was called into', async () => {
    const { join_code } = await requestAs(service, await sessionOf(phone), 'POST /calls', {
      to: [],
      privacy: 'public',
    });
    await open(phone, `/call/${join_code}`);
    await phone.getByText('Share the link, and people with an account can join.').waitFor();
    await phone.locator('.call-notice').getByRole('button', { name: 'Share', exact: true }).click();
    expect(await shared(phone)).toEqual([{ title: expect.any(String), url: `${service.url}/j/${join_code}` }]);
    await press(phone, 'Leave');
  });
});
