/** Two accounts in the tabs of one browser: a tab never shows or stores what belongs to the other one. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import type { Service } from '../../running/running-service.ts';
import { missing_browser, openTwoPeople, useBrowserWindows } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'two accounts in the tabs of one browser', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'desk' }));
  });

  it('follows a sign-in in another tab, and forgets what the previous account has read', async () => {
    const other_tab = await ada.context().newPage();
    await other_tab.goto(`${service.url}/app/`);
    await other_tab.getByText(/^Good .*, ada$/).waitFor();
    const session = (await ben.evaluate(`localStorage.getItem('asterism.session')`)) as string;
    // A magic link that is opened in the first tab signs ben in, over ada's session.
    await ada.evaluate(`localStorage.setItem('asterism.session', ${JSON.stringify(session)})`);
    await other_tab.getByText(/^Good .*, ben$/).waitFor();
    expect(await other_tab.getByText(/ada$/).count()).toBe(0);
    const stored = (await other_tab.evaluate(`(async () => {
      const names = await caches.keys();
      const texts = await Promise.all(names.map(async (name) => {
        const cache = await caches.open(name);
        const found = await cache.matchAll();
        return Promise.all(found.map((one) => one.text()));
      }));
      return texts.flat().filter((text) => text.includes('session_id')).join();
    })()`)) as string;
    const { session_id } = JSON.parse(session) as { session_id: string };
    expect(stored.includes('"username":"ada"')).toBe(false);
    if (stored !== '') expect(stored).toContain(session_id);
  });
});
