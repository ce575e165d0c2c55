/** A phone number that is typed where people and tags are searched, and called from there. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { areaLink, missing_browser, signUp, useBrowserWindows } from '../../browser/windows.ts';
import { newestLegTo } from '../../running/call-crowd.ts';
import { poll, type Service } from '../../running/running-service.ts';

describeUnlessMissing(missing_browser, 'a phone number in the search', () => {
  let service: Service;
  let ada: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    ada = await windows.open('phone');
    await signUp(service, ada, 'ada', '+14155550101');
  });

  const type = async (number: string) => {
    await areaLink(ada, /^Call/).click();
    await ada.getByRole('link', { name: 'A name, a tag or a number' }).click();
    await ada.getByLabel('Search people and tags').fill(number);
  };

  it('is called, also as it is dialled in the country of the reader', async () => {
    await type('(415) 555-0177');
    const call = ada.getByRole('button', { name: 'Call +1 415 555 0177' });
    await call.waitFor();
    await ada.getByText('United States', { exact: true }).waitFor();
    await ada.getByText('No results').waitFor({ state: 'detached' });
    expect(await inspectPage(ada, 'search-number', 'each')).toEqual([]);
    await call.click();
    await ada.getByRole('button', { name: 'Leave', exact: true }).waitFor();
    await poll(async () => (await newestLegTo(service, '+14155550177'))?.state === 'queued', 'the leg');
    await ada.getByRole('button', { name: 'Leave', exact: true }).click();
  });

  it('is refused with the reason where it must not be called', async () => {
    await type('+1 900 555 0100');
    await ada.getByRole('button', { name: 'Call +1 900 555 0100' }).click();
    await ada
      .locator('.toast')
      .getByText(/^This number is .+, which cannot be called\.$/)
      .waitFor();
    expect(new URL(ada.url()).pathname).toBe('/app/search');
  });
});
