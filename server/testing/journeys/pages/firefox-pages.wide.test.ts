/**
 * The pages of the web client in Firefox at both sizes, and the use of devices in a call: lobby, connection test,
 * screen, recording.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { useFirefoxWindows, missing_firefox } from '../../browser/firefox-windows.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  useBrowserWindows,
  createTag,
  missing_browser,
  networkQuiet,
  receivedMedia,
  signUpByForms,
  visit,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

const missing = missing_firefox ?? missing_browser;

/** The pages of a signed-in person, each with the heading that shows that it is loaded. */
const pages = [
  ['', ''],
  ['search', 'Search'],
  ['tags', 'Your tags'],
  ['t/riverside', '*riverside'],
  ['people', 'People'],
  ['people/requests', 'No requests'],
  ['people/followers', 'People'],
  ['inbox', 'Inbox'],
  ['calls', 'Recent calls'],
  ['grid', 'Favourites'],
  ['contacts', 'Contacts'],
  ['contacts/import', 'Import contacts'],
  ['groups', 'Groups'],
  ['notifications', 'Activity'],
  ['videomail/ben', ''],
  ['call-test', 'Test audio and connection'],
  ['settings', 'About you'],
  ['settings/notifications', ''],
  ['settings/blocks', ''],
  ['settings/sessions', 'Sessions'],
  ['settings/password', 'Password'],
  ['settings/handles', ''],
  ['settings/delete', 'Delete account'],
  ['j/abc-defg-hij', 'Call not found'],
  ['nowhere', 'Page not found'],
] as const;

describeUnlessMissing(missing, 'the pages in Firefox', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let join_code = '';
  const firefox = useFirefoxWindows();
  const chromium = useBrowserWindows();
  beforeAll(async () => {
    service = await chromium.startService();
    [ada, ben] = [await firefox.open('desk'), await chromium.open('desk')];
    await signUpByForms(service, ada, 'ada', '+14155550101');
    await signUpByForms(service, ben, 'ben', '+14155550102');
    await createTag(ben, 'riverside');
  });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const inspect = async (page: Page, path: string, ready: string) => {
    await visit(page, `${service.url}/app/${path}`);
    await (ready ? page.getByRole('heading', { name: ready, exact: true }) : page.getByRole('heading'))
      .first()
      .waitFor();
    const found = await inspectPage(page, `firefox-${path.replaceAll(/\W/g, '-') || 'home'}`, 'each');
    // Firefox reports a file that is still preloaded when the page is left as an error.
    await networkQuiet(page);
    return found;
  };

  it('shows the pages of signed-out visitors without accessibility problems and console errors', async () => {
    const page = await firefox.open();
    const found: string[] = [];
    for (const path of ['sign-in', 'register', 'magic-link', 'forgot', 'reset?token=x'])
      found.push(...(await inspect(page, path, '')));
    expect([found, firefox.console_errors]).toEqual([[], []]);
  });

  it('shows the pages of a signed-in person without accessibility problems and console errors', async () => {
    const found: string[] = [];
    for (const [path, ready] of pages) found.push(...(await inspect(ada, path, ready)));
    expect([found, firefox.console_errors]).toEqual([[], []]);
  });

  it('measures the connection to the media server', async () => {
    await ada.goto(`${service.url}/app/call-test`);
    await press(ada, 'Measure');
    await ada.getByText('Audio and video go straight to the media server, over UDP.').waitFor();
    await ada.getByText(/The round trip takes \d+ ms: not noticeable\.$/).waitFor();
    await ada.getByText(/^All connection attempts/).click();
    await ada.getByRole('cell', { name: 'in use' }).first().waitFor();
    // Content below the top bar of a scrolled page is not a finding.
    await ada.evaluate('scrollTo(0, 0)');
    expect(await inspectPage(ada, 'firefox-measured', 'each')).toEqual([]);
  });

  it('tests its devices in the lobby and joins with them', async () => {
    await ben.goto(`${service.url}/app/calls`);
    await press(ben, 'New room');
    await ben.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    join_code = ben.url().split('/').at(-1) ?? '';
    await press(ben, /^Who can join/);
    await ben.getByRole('menuitemradio', { name: /^Public/ }).click();
    await ada.goto(`${service.url}/app/j/${join_code}`);
    await press(ada, 'Camera off');
    await poll(() => ada.evaluate(`document.querySelector('.preview video')?.videoWidth > 0`), 'the preview');
    // Firefox measures audio only with an output device, which a server does not have.
    const level = ada.getByLabel('Microphone level');
    await level.or(ada.getByText(/^The microphone level can’t be shown/)).waitFor();
    for (const device of ['Microphone', 'Camera']) {
      const choice = ada.getByLabel(device, { exact: true });
      const options = choice.getByRole('option');
      expect(
        (await options.allInnerTexts()).every((name) => name !== ''),
        device,
      ).toBe(true);
      await choice.selectOption({ index: (await options.count()) - 1 });
    }
    await poll(() => ada.evaluate(`document.querySelector('.preview video')?.videoWidth > 0`), 'the preview');
    expect(await inspectPage(ada, 'firefox-lobby', 'each')).toEqual([]);
    await press(ada, 'Join');
    await ada.getByRole('button', { name: 'Stop camera' }).waitFor();
    await poll(async () => (await receivedMedia(ben)).frames > 20, 'the video of Firefox', 40_000);
    await press(ada, 'Devices');
    await ada.getByRole('menu').waitFor();
    expect(await inspectPage(ada, 'firefox-call', 'each')).toEqual([]);
    await ada.keyboard.press('Escape');
  });

  it('reports that there is no screen, and shares one where there is', async () => {
    await press(ada, 'Share screen');
    // Headless Firefox has no screen, and only a user can operate its picker.
    await ada.getByText('No screen was found on this device.').waitFor();
    await ada.evaluate(`
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
      const draw = canvas.getContext('2d');
      let at = 0;
      setInterval(() => {
        draw.fillStyle = 'hsl(' + (at += 7) + ' 80% 50%)';
        draw.fillRect(0, 0, 640, 360);
      }, 50);
      navigator.mediaDevices.getDisplayMedia = async () => canvas.captureStream(20);
    `);
    await press(ada, 'Share screen');
    const screen = ben.getByLabel('ada, screen');
    await screen.waitFor();
    const { frames } = await receivedMedia(ben);
    await poll(async () => (await receivedMedia(ben)).frames > frames + 20, 'the video of the screen', 40_000);
    await ada.locator('.call-controls').getByRole('button', { name: 'Stop sharing' }).click();
    await screen.waitFor({ state: 'detached' });
  });

  it('shows that the call will be and is recorded', async () => {
    await press(ben, 'More about this call');
    await ben.getByRole('menuitem', { name: /^Record this call/ }).click();
    await ada.getByText('ben wants to record this call.').waitFor();
    await ada.getByText('ben is recording this call.').waitFor();
    expect(await inspectPage(ada, 'firefox-recorded', 'each')).toEqual([]);
    await press(ada, 'Record me');
    await ada.getByText('ben is recording this call.').waitFor({ state: 'detached' });
    await ada.getByText('Recording', { exact: true }).waitFor();
    await press(ada, 'Leave');
    await ada.getByRole('heading', { name: /^Good \w+, ada$/ }).waitFor();
    expect(firefox.console_errors).toEqual([]);
  });
});
