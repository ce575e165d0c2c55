/** Admins of a group, its transfer and its invite link, in three browsers and one without an account. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { focusedElement, inspectPage } from '../../browser/page-checks.ts';
import {
  missing_browser,
  openTwoPeople,
  password,
  signUp,
  sessionOf,
  useBrowserWindows,
  visit,
} from '../../browser/windows.ts';
import type { Service } from '../../running/running-service.ts';

describeStory(missing_browser, 'admins and the invite link of a group', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let cleo: Page;
  let group_id: string;
  let link: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    cleo = await windows.open('desk');
    await signUp(service, cleo, 'cleo', '+14155550103');
    const body = { name: 'Choir', description: 'Rehearsals on Tuesdays.' };
    ({ id: group_id } = (await call(ada, 'POST /groups', body)) as { id: string });
    const { id: contact_id } = (await call(ada, 'POST /contacts', { name: 'Aunt May' })) as { id: string };
    await call(ada, `PUT /groups/${group_id}/members/${contact_id}`, {});
  });

  async function call(page: Page, route: string, body?: object): Promise<unknown> {
    const answer = await service.call(route, { ...(await sessionOf(page)), ...(body && { body }) });
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  }
  /** Creates as many groups as one may own. @returns one of them */
  async function fillPlan(page: Page): Promise<string> {
    const by = await sessionOf(page);
    for (let owned = ''; ;) {
      const { status, body } = await service.call('POST /groups', { ...by, body: { name: 'Another' } });
      if (status !== 201) return owned;
      owned = body.id;
    }
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const confirm = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name }).click();
  const expectFocus = (page: Page, name: string) =>
    expect.poll(async () => (await focusedElement(page)).name).toBe(name);
  const members = (page: Page) => page.getByRole('list', { name: 'Members' });
  const choose = async (page: Page, name: string, item: string) => {
    await press(page, `More about ${name}`);
    await page.getByRole('menuitem', { name: item }).click();
  };
  const openGroup = async (page: Page, name = 'Choir') => {
    await visit(page, `${service.url}/app/groups/${group_id}`);
    await heading(page, name);
  };

  it('the owner creates an invite link, and shares it', async () => {
    await openGroup(ada);
    await press(ada, 'Create invite link');
    link = await ada.locator('.group-link').innerText();
    expect(link).toMatch(new RegExp(String.raw`^${service.url}/g/[\w-]{32}$`));
    await press(ada, 'Share');
    await ada.getByRole('img', { name: 'QR code of the invite link of Choir' }).waitFor();
    expect(await ada.getByRole('textbox', { name: 'Address' }).inputValue()).toBe(link);
    expect(await inspectPage(ada, 'group-link-share', 'each')).toEqual([]);
    await ada.keyboard.press('Escape');
    expect(await inspectPage(ada, 'group-link')).toEqual([]);
  });

  it('somebody without an account sees the group, and joins after the registration and the verification', async () => {
    const visitor = await windows.open('phone');
    await visitor.goto(link);
    await heading(visitor, 'Choir');
    await visitor.getByText('Rehearsals on Tuesdays.').waitFor();
    await visitor.getByText('By ada, @ada').waitFor();
    expect(await inspectPage(visitor, 'join-group-visitor')).toEqual([]);
    const address = visitor.url();
    await visitor.getByRole('link', { name: 'Sign in to join' }).click();
    await heading(visitor, 'Welcome back');
    expect(new URL(visitor.url()).searchParams.get('next')).toBe(new URL(address).pathname.replace('/app', ''));
    await visitor.goBack();

    await visitor.getByRole('link', { name: 'Create account' }).click();
    await visitor.getByLabel('Username').fill('dora');
    await visitor.getByLabel('E-mail').fill('dora@example.org');
    await visitor.getByLabel('Password', { exact: true }).fill(password);
    await press(visitor, 'Create account');
    await visitor.getByLabel('Code').fill(await service.codeFor('dora@example.org'));
    await press(visitor, 'Join group');
    await visitor.getByLabel('Mobile number').fill('+14155550104');
    await press(visitor, 'Send code');
    await visitor.getByLabel('Code').fill(await service.codeFor('+14155550104'));
    await visitor.waitForURL(address);
    await press(visitor, 'Join group');
    await visitor.getByLabel('Messages of Choir').waitFor();
    await members(ada).getByText('@dora', { exact: true }).waitFor();
  });

  it('others join by the link, once, also from a message', async () => {
    await ben.goto(link);
    await heading(ben, 'Choir');
    expect(await inspectPage(ben, 'join-group')).toEqual([]);
    await press(ben, 'Join group');
    await ben.getByLabel('Messages of Choir').waitFor();
    await ben.goto(link);
    await ben.getByText('You are a member.').waitFor();
    expect(await inspectPage(ben, 'join-group-member', 'each')).toEqual([]);
    await press(ben, 'Open group');
    await ben.getByLabel('Messages of Choir').waitFor();

    const { id: ben_id } = (await call(ben, 'GET /me')) as { id: string };
    const { id: thread_id } = (await call(cleo, 'POST /dm/threads', { user_id: ben_id })) as { id: string };
    await call(cleo, `POST /dm/threads/${thread_id}/chat`, { body: `Is ${link} still open?` });
    await visit(cleo, `${service.url}/app/messages/${thread_id}`);
    await cleo.getByRole('link', { name: link.replace('http://', ''), exact: true }).click();
    await press(cleo, 'Join group');
    await cleo.getByLabel('Messages of Choir').waitFor();
    expect(cleo.context().pages()).toHaveLength(1);
    await members(ada).getByText('@cleo', { exact: true }).waitFor();
  });

  it('an admin edits the group, manages its link, and removes members and messages', async () => {
    await call(cleo, `POST /groups/${group_id}/chat`, { body: 'Buy my lamps' });
    await openGroup(ben);
    expect(await ben.getByRole('button', { name: /^(Edit|Revoke link|Remove .*)$/ }).count()).toBe(0);
    await press(ada, 'More about ben');
    await ada.getByRole('menuitem', { name: 'Make admin' }).waitFor();
    expect(await inspectPage(ada, 'group-member-menu', 'each')).toEqual([]);
    await ada.getByRole('menuitem', { name: 'Make admin' }).click();
    await ada.getByText('ben is an admin now.').waitFor();
    for (const page of [ada, ben]) await members(page).getByText('Admin · @ben').waitFor();

    await press(ben, 'Edit');
    await ben.getByLabel('Name', { exact: true }).fill('Night choir');
    await press(ben, 'Save');
    for (const page of [ada, ben]) await heading(page, 'Night choir');
    expect(await ben.locator('.group-link').innerText()).toBe(link);
    expect(
      await ben.getByRole('button', { name: /^(Add|Delete the group|More about .*|Remove Aunt May.*)$/ }).count(),
    ).toBe(0);
    expect(await inspectPage(ben, 'group-admin')).toEqual([]);

    await visit(ben, `${service.url}/app/messages/group/${group_id}`);
    await ben.getByRole('button', { name: 'More about “Buy my lamps”' }).click();
    await ben.getByRole('menuitem', { name: 'Delete' }).click();
    await confirm(ben, 'Delete');
    await ben.getByRole('button', { name: 'More about “Buy my lamps”' }).waitFor({ state: 'detached' });

    await openGroup(ben, 'Night choir');
    await press(ben, 'Remove cleo from the group');
    expect(await inspectPage(ben, 'group-remove', 'each')).toEqual([]);
    await confirm(ben, 'Remove');
    for (const page of [ada, ben]) await members(page).getByText('@cleo').waitFor({ state: 'detached' });
    await expectFocus(ben, 'Members');
    // The link of the person who was removed no longer works, and the page offers a new one.
    for (const page of [ada, ben]) await page.getByRole('button', { name: 'Create invite link' }).waitFor();
    await cleo.goto(link);
    await heading(cleo, 'This link no longer works');
    expect(await inspectPage(cleo, 'join-group-revoked')).toEqual([]);
  });

  it('the group is transferred, and the old owner is a member', async () => {
    await choose(ada, 'ben', 'Transfer group to them');
    await ada.getByRole('alertdialog', { name: 'Transfer the group to ben?' }).waitFor();
    expect(await inspectPage(ada, 'group-transfer', 'each')).toEqual([]);
    const owned = await fillPlan(ben);
    await confirm(ada, 'Transfer group');
    await ada.getByText('They cannot own another group.').waitFor();
    await call(ben, `DELETE /groups/${owned}`);
    await choose(ada, 'ben', 'Transfer group to them');
    await confirm(ada, 'Transfer group');
    await ada.getByText('ben is the owner now.').waitFor();
    await ada.getByText('By ben, @ben').waitFor();
    await expectFocus(ada, 'Members');
    await ada.getByRole('button', { name: 'Leave the group' }).waitFor();
    await members(ada).getByText('@ada', { exact: true }).waitFor();
    expect(await members(ada).getByText('Aunt May').count()).toBe(0);
    expect(await ada.getByRole('button', { name: /^(Edit|Create invite link|More about .*)$/ }).count()).toBe(0);
    await ben.getByText('Your group', { exact: true }).waitFor();
    await ben.getByRole('button', { name: 'Delete the group' }).waitFor();
  });

  it('a revoked link says so, and a member who joined by it leaves', async () => {
    await press(ben, 'Create invite link');
    const next = await ben.locator('.group-link').innerText();
    expect(next).not.toBe(link);
    await cleo.goto(next);
    await heading(cleo, 'Night choir');
    await press(ben, 'Revoke link');
    expect(await inspectPage(ben, 'group-link-revoke', 'each')).toEqual([]);
    await confirm(ben, 'Revoke link');
    await ben.getByText('Link revoked.').waitFor();
    await expectFocus(ben, 'Invite link');
    await press(cleo, 'Join group');
    await heading(cleo, 'This link no longer works');
    await choose(ben, 'dora', 'Remove from group');
    await confirm(ben, 'Remove');
    await members(ben).getByText('@dora').waitFor({ state: 'detached' });
    await expectFocus(ben, 'Members');
    await press(ada, 'Leave the group');
    await confirm(ada, 'Leave');
    await ada.getByText('You have left Night choir.').waitFor();
    await members(ben).getByText('@ada').waitFor({ state: 'detached' });
  });
});
