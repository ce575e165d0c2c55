/** The first steps of a new person on a phone: a tag, its card to share, a person found by username, and a call. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { focusedElement, inspectPage } from '../../browser/page-checks.ts';
import {
  areaLink,
  missing_browser,
  networkQuiet,
  signUp,
  useBrowserWindows,
  waitForHome,
} from '../../browser/windows.ts';
import { requestAs, signUp as signUpByCalls, type RunningPerson } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';

describeStory(missing_browser, 'the first steps on a phone', () => {
  let service: Service;
  let page: Page;
  let olga: RunningPerson;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    [service, page] = await Promise.all([windows.startService(), windows.open('phone')]);
    olga = await signUpByCalls(service, 'olga', '+14155550131');
    await signUp(service, page, 'ada', '+14155550101');
  });

  const share = () => page.getByRole('button', { name: 'Share *evenings' });

  it('lead from Home to a tag, whose card is there to be shared until somebody follows it', async () => {
    await page.getByRole('link', { name: /Create your tag/ }).click();
    await page.getByLabel('Tag name').fill('evenings');
    await page.getByRole('button', { name: 'Create tag' }).click();
    await page.getByText('Created *evenings.').waitFor();
    await areaLink(page, /^Home$/).click();
    await waitForHome(page);
    await page
      .getByText(/^Share your tag/)
      .filter({ visible: true })
      .waitFor();
    expect(await inspectPage(page, 'home-new-tag')).toEqual([]);
    await share().click();
    const sheet = page.getByRole('dialog', { name: 'Share *evenings' });
    await sheet.getByRole('img', { name: 'QR code that opens *evenings' }).waitFor();
    expect(await sheet.getByLabel('Address').inputValue()).toBe(`${service.url}/t/evenings`);
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await focusedElement(page)).name).toBe('Share *evenings');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^\*evenings Share your tag/ })
      .click();
    await page.getByRole('heading', { name: '*evenings', level: 1 }).waitFor();

    const { tag } = await requestAs(service, olga, 'GET /profiles/evenings');
    await requestAs(service, olga, `PUT /xtags/${tag.id}/follow`, {});
    await page.goto(`${service.url}/app/`);
    await waitForHome(page);
    await networkQuiet(page);
    expect(await share().count()).toBe(0);
  });

  it('find a person without a tag by the whole username, if they let others find them', async () => {
    const olga_found = () => page.getByRole('main').getByRole('link', { name: /olga/ });
    // By default whom she follows finds her.
    await requestAs(service, olga, 'PATCH /me', { reach: { find: 'none' } });
    await page.goto(`${service.url}/app/search?q=Olga`);
    await page.getByText('No results').waitFor();
    await requestAs(service, olga, 'PATCH /me', { reach: { find: 'everyone' } });
    await page.reload();
    await olga_found().waitFor();
    expect(await page.getByText('No results').count()).toBe(0);
    expect(await inspectPage(page, 'search-username')).toEqual([]);
  });

  it('end in a first call, three presses after Home', async () => {
    await page.goto(`${service.url}/app/`);
    await waitForHome(page);
    await page.getByRole('link', { name: 'Find tags' }).click();
    await page.keyboard.type('olga');
    await page.getByRole('main').getByRole('link', { name: /olga/ }).click();
    await page.getByRole('button', { name: 'Call olga' }).click();
    await page.waitForURL(/\/app\/call\//);
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  });
});
