/** An account in the browser: links in mails, picture, password, sessions, and deletion. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { requestAs } from '../../running/running-people.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  useBrowserWindows,
  missing_browser,
  password,
  sessionOf,
  signUp,
  waitForHome,
  visit,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

const other_password = 'a loud mountain stream';

describeUnlessMissing(missing_browser, 'an account in the browser', () => {
  let service: Service;
  let username: string;
  let email: string;
  /** A window in which the account is signed in. */
  let phone: Page;
  /** Another window, in which nobody has signed in. */
  let desktop: Page;
  let accounts = 0;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
  });
  // Passwords and sessions belong to an account, so each test has its own.
  beforeEach(async () => {
    // Not after a test: if it fails, its error includes the text of its windows.
    if (accounts > 0) for (const page of [phone, desktop]) await page.context().close();
    accounts += 1;
    username = `ada${accounts}`;
    email = `${username}@example.org`;
    phone = await windows.open('phone');
    desktop = await windows.open('desk');
    await signUp(service, phone, username, `+1415555${1000 + accounts}`);
  });

  /** The newest link in a mail to the account that leads to a page. */
  const linkTo = (page: string) =>
    poll(async () => (await service.caught(email)).flatMap(({ links }) => links).find((link) => link.includes(page)));
  const settings = async (page: Page, area: string) => {
    await visit(page, `${service.url}/app/settings/${area}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const submitSignIn = async (page: Page, secret: string) => {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(secret);
    const before = (await service.caught(email))[0]?.code;
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill(
      await poll(async () => {
        const code = (await service.caught(email))[0]?.code;
        return code !== before && code;
      }, 'a new code'),
    );
  };
  const signIn = async (page: Page, secret: string) => {
    await visit(page, `${service.url}/app/sign-in`);
    await submitSignIn(page, secret);
    await waitForHome(page);
  };

  it('signs in by a link in a mail, which works only once', async () => {
    await visit(desktop, `${service.url}/app/sign-in`);
    await desktop.getByRole('link', { name: 'Get a link by e-mail' }).click();
    await desktop.getByLabel('E-mail').fill(email);
    await desktop.getByRole('button', { name: 'E-mail me a link' }).click();
    await desktop.getByText('the link is on its way').waitFor();
    const link = await linkTo('/app/magic?');
    await desktop.goto(link);
    await desktop.getByRole('button', { name: 'Sign in' }).click();
    await waitForHome(desktop);
    const stranger = await windows.open('desk');
    await stranger.goto(link);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('alert').waitFor();
  });

  /** The name of the field or the words of the button that has the focus. */
  const focused = (page: Page) =>
    page.evaluate(`document.activeElement.name || document.activeElement.innerText`) as Promise<string>;

  it('moves the focus to the first refused field, and back to the button if no field is to blame', async () => {
    await settings(phone, 'password');
    await phone.getByLabel('Current password').fill('not this one');
    await phone.getByLabel('New password').fill(other_password);
    await phone.getByRole('button', { name: 'Change password' }).click();
    await phone.locator('.field-error').waitFor();
    await expect.poll(() => focused(phone)).toBe('current_password');
    const visitor = await windows.open('phone');
    await visit(visitor, `${service.url}/app/sign-in`);
    await visitor.getByLabel('Username').fill(username);
    await visitor.getByLabel('Password', { exact: true }).fill('not this one');
    await visitor.getByRole('button', { name: 'Sign in' }).click();
    await visitor.getByText('Incorrect username or password.').waitFor();
    await expect.poll(() => focused(visitor)).toBe('Sign in');
    await visit(visitor, `${service.url}/app/register`);
    await visitor.getByLabel('Username').fill('ben');
    await visitor.getByLabel('E-mail').fill('ben@example');
    await visitor.getByLabel('Password', { exact: true }).fill(password);
    await visitor.getByRole('button', { name: 'Create account' }).click();
    await visitor.getByText('E-mail is not valid: write it like ada@example.org.').waitFor();
    await expect.poll(() => focused(visitor)).toBe('email');
    await visitor.context().close();
  });

  it('shows a new picture, and rejects a file that is not an image', async () => {
    await settings(phone, 'profile');
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#3366cc' } })
      .png()
      .toBuffer();
    const choose = phone.getByLabel('Choose a picture');
    await choose.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture });
    await phone.getByText('Your picture was changed.').waitFor();
    const width = () =>
      phone
        .locator('main img')
        .first()
        .evaluate((image) => (image as { naturalWidth?: number }).naturalWidth);
    await poll(async () => ((await width()) ?? 0) > 0, 'the picture');
    await choose.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await phone.getByText('This file is not a readable image').waitFor();
  });

  it('signs out another device, whose page shows the sign-in form at once', async () => {
    await signIn(desktop, password);
    await visit(desktop, `${service.url}/app/people/followers`);
    await desktop.getByRole('heading', { name: 'People' }).waitFor();
    await settings(phone, 'sessions');
    await phone.getByText('This device').waitFor();
    expect(await phone.getByText('Chrome on Linux', { exact: true }).count()).toBe(2);
    await phone.getByRole('button', { name: 'Sign out of Chrome on Linux' }).click();
    await desktop.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(desktop.url()).pathname).toBe('/app/sign-in');
    await desktop.getByText('Your session has ended. Sign in to continue.').waitFor();
    await poll(async () => (await phone.getByRole('button', { name: /^Sign out of/ }).count()) === 0, 'one session');
  });

  it('returns to the page on which the session ended after signing in', async () => {
    await signIn(desktop, password);
    await visit(desktop, `${service.url}/app/people/followers`);
    await desktop.getByRole('heading', { name: 'People' }).waitFor();
    await requestAs(service, await sessionOf(phone), 'DELETE /auth/sessions');
    await desktop.getByText('Your session has ended. Sign in to continue.').waitFor();
    await submitSignIn(desktop, password);
    await desktop.getByRole('heading', { name: 'People' }).waitFor();
    expect(new URL(desktop.url()).pathname).toBe('/app/people/followers');
  });

  it('changes the password, and signs out all other devices', async () => {
    await signIn(desktop, password);
    await settings(phone, 'password');
    await phone.getByRole('link', { name: 'Back to You' }).waitFor();
    await phone.getByLabel('Current password', { exact: true }).fill('not my password');
    await phone.getByLabel('New password', { exact: true }).fill(other_password);
    await phone.getByRole('button', { name: 'Change password' }).click();
    await phone.locator('.field-error').waitFor();
    await phone.getByLabel('Current password', { exact: true }).fill(password);
    await phone.getByRole('button', { name: 'Change password' }).click();
    await phone.getByText('Your password is changed').waitFor();
    expect(new URL(phone.url()).pathname).toBe('/app/settings/password');
    await desktop.getByRole('button', { name: 'Sign in' }).waitFor();
    await phone.reload();
    await phone.getByRole('heading', { name: 'Password', level: 1 }).waitFor();
  });

  it('resets the password by a link in a mail, which signs out all devices', async () => {
    await visit(desktop, `${service.url}/app/sign-in`);
    await desktop.getByRole('link', { name: 'Forgot your password?' }).click();
    await desktop.getByLabel('Username or e-mail').fill(email);
    await desktop.getByRole('button', { name: 'E-mail me a link' }).click();
    await desktop.getByText('the link is on its way').waitFor();
    await desktop.goto(await linkTo('/app/reset?'));
    await desktop.getByLabel('Password', { exact: true }).fill(other_password);
    await desktop.getByRole('button', { name: 'Change password' }).click();
    await desktop.getByText('Sign in with the new one.').waitFor();
    await phone.getByRole('button', { name: 'Sign in' }).waitFor();
    await signIn(desktop, other_password);
  });

  it('deletes the account, after which signing in fails', async () => {
    await signIn(desktop, password);
    await settings(desktop, 'delete');
    await desktop.evaluate(`localStorage.setItem('asterism.kept.usr_1.draft thread thr_1', '"A secret draft"')`);
    await desktop.getByLabel('Password', { exact: true }).fill(password);
    await desktop.getByRole('button', { name: 'Delete my account' }).click();
    await desktop.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await desktop.getByRole('heading', { name: 'Delete account', level: 1 }).waitFor();
    await desktop.getByRole('button', { name: 'Delete my account' }).click();
    await desktop.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
    await desktop.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await desktop.getByText('Your session has ended').count()).toBe(0);
    expect(await desktop.evaluate('JSON.stringify(localStorage)')).not.toContain('A secret draft');
    await desktop.getByLabel('Username').fill(username);
    await desktop.getByLabel('Password', { exact: true }).fill(password);
    await desktop.getByRole('button', { name: 'Sign in' }).click();
    await desktop.getByRole('alert').waitFor();
  });
});
