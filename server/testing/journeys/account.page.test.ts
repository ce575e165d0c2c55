/** An account in the browser: links from the mail, picture, password, sessions, and the end of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { poll, startService, type Service } from '../running-service.ts';
import { useBrowserWindows, missing_browser, password, signUp, waitForHome } from '../windows.ts';
import { describeUnlessMissing } from '../../../tools/skip.ts';

const other_password = 'a loud mountain stream';
const email = 'ada@example.org';

describeUnlessMissing(missing_browser, 'an account in the browser', () => {
  let service: Service;
  let phone: Page;
  let desk: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await startService();
    phone = await windows.open('phone');
    desk = await windows.open('desk');
    await signUp(service, phone, 'ada', '+14155550101');
  }, 60_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  /** The newest link that was sent to an address and leads to a page. */
  const linkTo = (page: string) =>
    poll(async () => (await service.caught(email)).flatMap(({ links }) => links).find((link) => link.includes(page)));
  const settings = async (page: Page, area: string) => {
    await page.goto(`${service.url}/app/settings/${area}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const enter = async (page: Page, secret: string) => {
    await page.getByLabel('Username').fill('ada');
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
    await page.goto(`${service.url}/app/sign-in`);
    await enter(page, secret);
    await waitForHome(page);
  };

  it('signs in by the link in a mail, once', async () => {
    await desk.goto(`${service.url}/app/sign-in`);
    await desk.getByRole('link', { name: 'Get a link by e-mail' }).click();
    await desk.getByLabel('E-mail').fill(email);
    await desk.getByRole('button', { name: 'E-mail me a link' }).click();
    await desk.getByText('the link is on its way').waitFor();
    const link = await linkTo('/app/magic?');
    await desk.goto(link);
    await desk.getByRole('button', { name: 'Sign in' }).click();
    await waitForHome(desk);
    const stranger = await windows.open('desk');
    await stranger.goto(link);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('alert').waitFor();
  });

  it('shows a new picture everywhere, and refuses what is none', async () => {
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
    await phone.getByText('The picture is not a readable image').waitFor();
  });

  it('signs another device out, which leaves its page at once', async () => {
    await desk.goto(`${service.url}/app/people/followers`);
    await desk.getByRole('heading', { name: 'People' }).waitFor();
    await settings(phone, 'sessions');
    await phone.getByText('This device').waitFor();
    expect(await phone.getByText('Chrome on Linux', { exact: true }).count()).toBe(2);
    await phone.getByRole('button', { name: 'Sign out of Chrome on Linux' }).click();
    await desk.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(desk.url()).pathname).toBe('/app/sign-in');
    await poll(async () => (await phone.getByRole('button', { name: /^Sign out of/ }).count()) === 0, 'one session');
  });

  it('comes back to the page on which the session ended', async () => {
    await enter(desk, password);
    await desk.getByRole('heading', { name: 'People' }).waitFor();
    expect(new URL(desk.url()).pathname).toBe('/app/people/followers');
  });

  it('changes the password, stays signed in here and nowhere else', async () => {
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
    await desk.getByRole('button', { name: 'Sign in' }).waitFor();
    await phone.reload();
    await phone.getByRole('heading', { name: 'Password', level: 1 }).waitFor();
  });

  it('chooses a new password by the link in a mail, after which no device is signed in', async () => {
    await desk.goto(`${service.url}/app/sign-in`);
    await desk.getByRole('link', { name: 'Forgot your password?' }).click();
    await desk.getByLabel('Username or e-mail').fill(email);
    await desk.getByRole('button', { name: 'E-mail me a link' }).click();
    await desk.getByText('the link is on its way').waitFor();
    await desk.goto(await linkTo('/app/reset?'));
    await desk.getByLabel('Password', { exact: true }).fill(password);
    await desk.getByRole('button', { name: 'Change password' }).click();
    await desk.getByText('Sign in with the new one.').waitFor();
    await phone.getByRole('button', { name: 'Sign in' }).waitFor();
    await signIn(desk, password);
  });

  it('deletes the account, which then nobody can sign in to', async () => {
    await settings(desk, 'delete');
    await desk.getByLabel('Password', { exact: true }).fill(password);
    await desk.getByRole('button', { name: 'Delete my account' }).click();
    await desk.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await desk.getByRole('heading', { name: 'Delete account', level: 1 }).waitFor();
    await desk.getByRole('button', { name: 'Delete my account' }).click();
    await desk.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
    await desk.getByRole('button', { name: 'Sign in' }).waitFor();
    await desk.getByLabel('Username').fill('ada');
    await desk.getByLabel('Password', { exact: true }).fill(password);
    await desk.getByRole('button', { name: 'Sign in' }).click();
    await desk.getByRole('alert').waitFor();
  });
});
