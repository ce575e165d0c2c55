/**
 * The main journey with one person in Firefox and the other in Chromium, with the default configuration of the service.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  useFirefoxWindows,
  missing_firefox,
  openForegroundTab,
  refused_devices,
} from '../../browser/firefox-windows.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { poll, type Service } from '../../running/running-service.ts';
import { startTcpProxy, type TcpProxy } from '../../running/tcp-proxy.ts';
import {
  areaLink,
  callTag,
  useBrowserWindows,
  createTag,
  missing_browser,
  receivedMedia,
  signUp,
  waitForHome,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

const missing = missing_firefox ?? missing_browser;

describeUnlessMissing(missing, 'Firefox and Chromium', () => {
  let service: Service;
  /** The service as Firefox reaches it: through a proxy that can be cut. */
  let proxied_service: Service;
  let proxy: TcpProxy;
  let ada: Page;
  let ben: Page;
  const firefox = useFirefoxWindows();
  const chromium = useBrowserWindows();
  beforeAll(async () => {
    let target = 0;
    proxy = await startTcpProxy(() => target);
    const url = `http://localhost:${proxy.port}`;
    service = await chromium.startService({
      configure(port) {
        target = port;
        return { PUBLIC_URL: url };
      },
    });
    proxied_service = { ...service, url };
    [ada, ben] = [await firefox.open('desk'), await chromium.open('phone')];
    await signUp(proxied_service, ada, 'ada', '+14155550101');
    await signUp(service, ben, 'ben', '+14155550102');
    await createTag(ada, 'evenings');
    await createTag(ben, 'riverside');
  });
  afterAll(async () => {
    await proxy.close();
  });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const openHomePages = async () => {
    await ada.goto(`${proxied_service.url}/app/`);
    await ben.goto(`${service.url}/app/`);
    for (const page of [ada, ben]) await waitForHome(page);
  };
  /** Ends the call of a host; on a phone the button is in the menu. */
  const endCall = async (host: Page) => {
    if (host === ada) await press(host, 'End for all');
    else {
      await press(host, 'More about this call');
      await host.getByRole('menuitem', { name: 'End for all' }).click();
    }
    await host.getByRole('alertdialog').getByRole('button', { name: /End/ }).click();
    await waitForHome(host);
  };
  const hangUp = async (host: Page) => {
    await endCall(host);
    await openHomePages();
  };
  /** Resolves once a page decodes frames and receives audio beyond what it had before. */
  async function awaitMedia(page: Page, before = { frames: 0, energy: 0 }): Promise<void> {
    await poll(
      async () => {
        const { frames, energy } = await receivedMedia(page);
        return frames > before.frames + 20 && energy > before.energy + 0.001;
      },
      'audio and video',
      40_000,
    );
  }

  it('see, hear and write to each other, in both directions, and list the calls in the history', async () => {
    await callTag(ben, 'evenings');
    await ada.getByText('@ben is calling you').waitFor();
    await press(ada, 'With camera');
    await ada.getByRole('button', { name: 'Stop camera' }).waitFor();
    await press(ben, 'Start camera');
    for (const page of [ada, ben]) await awaitMedia(page);

    await press(ada, 'Mute');
    await ben.locator('.tile', { hasText: 'Muted: ada' }).waitFor();
    await press(ada, 'Unmute');
    await ben.locator('.tile', { hasText: 'Muted: ada' }).waitFor({ state: 'detached' });
    await awaitMedia(ben, await receivedMedia(ben));
    await ada.getByLabel('Message').fill('Greetings from the fox');
    await ada.getByLabel('Message').press('Enter');
    await ben.getByRole('button', { name: /^Show chat/ }).click();
    await ben.getByText('Greetings from the fox', { exact: true }).waitFor();
    await ben.getByLabel('Message').fill('I see you');
    await ben.getByLabel('Message').press('Enter');
    await ada.getByText('I see you', { exact: true }).waitFor();
    await press(ada, 'Leave');
    await waitForHome(ada);
    await hangUp(ben);

    await callTag(ada, 'riverside');
    await press(ben, 'With camera');
    await press(ada, 'Start camera');
    for (const page of [ada, ben]) await awaitMedia(page);
    await hangUp(ada);
    await areaLink(ada, /^Call/).click();
    await ada.getByRole('link', { name: 'Recent' }).click();
    const calls = ada.getByRole('region', { name: 'Recent calls' }).getByRole('listitem').filter({ hasText: 'ben' });
    await poll(async () => (await calls.count()) === 2, 'both calls');
  });

  it('rings on a page in the background', async () => {
    await openHomePages();
    const other = await openForegroundTab(ada, `${proxied_service.url}/app/settings`);
    await other.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(await ada.evaluate('document.visibilityState')).toBe('hidden');
    await callTag(ben, 'evenings');
    for (const page of [ada, other]) await page.getByRole('region', { name: 'Incoming call' }).waitFor();
    await other.close();
    await press(ada, 'Decline');
    await ben.getByText('ada declined').waitFor();
    await hangUp(ben);
  });

  it('shows that the connection is lost, and delivers missed events when it is restored', async () => {
    await openHomePages();
    await ada.getByRole('heading', { name: 'Feed' }).waitFor();
    proxy.cut();
    await ada.getByText('No connection to Asterism. Trying again…').waitFor();
    await callTag(ben, 'evenings');
    await ben.getByRole('button', { name: 'Leave', exact: true }).waitFor();
    proxy.restore();
    await ada.getByRole('region', { name: 'Incoming call' }).waitFor();
    await ada.getByText('You are connected again.').waitFor();
    await press(ada, 'Accept');
    await ada.getByRole('button', { name: 'Leave' }).waitFor();
    await hangUp(ben);
  });

  it('explains in Firefox how to permit a denied microphone', async () => {
    const page = await firefox.open('phone', refused_devices);
    await signUp(proxied_service, page, 'dara', '+14155550104');
    await page.goto(`${proxied_service.url}/app/call-test`);
    await page.getByText('Your browser doesn’t let Asterism use the microphone. To allow it:').waitFor();
    await page.getByText('Press the crossed-out microphone left of the address.').waitFor();
    await page.getByText('Press the × beside “Blocked”, so that you are asked again.').first().waitFor();
    expect(await inspectPage(page, 'firefox-refused', 'each')).toEqual([]);
    await page.goto(`${proxied_service.url}/app/`);
    await waitForHome(page);
    await callTag(page, 'riverside');
    await page.getByText(/doesn’t let Asterism use the microphone/).waitFor();
    await press(ben, 'Decline');
    await endCall(page);
  });

  it('logs no errors of the client', () => {
    // The browser itself logs lost connections, denied devices, and downloads that a navigation ended
    // (NS_BINDING_ABORTED).
    const client_errors = firefox.console_errors.filter(
      (complaint) =>
        !/can’t establish a connection|interrupted while|NotAllowedError|download failed .*status=2152398850/.test(
          complaint,
        ),
    );
    expect(client_errors, client_errors.join('\n')).toEqual([]);
  });
});
