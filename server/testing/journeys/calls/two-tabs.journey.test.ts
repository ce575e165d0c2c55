/** Two tabs of one browser share a session: when its token expires, both refresh it, and neither is signed out. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, signUp } from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

/** How often the tokens expire; each time for both tabs at once. */
const rounds = 8;

describeUnlessMissing(missing_browser, 'two tabs of one browser', () => {
  let service: Service;
  let tabs: Page[];
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    const first = await windows.open();
    await signUp(service, first, 'ada', '+14155550101');
    const second = await first.context().newPage();
    await second.goto(`${service.url}/app/`);
    await second.getByRole('heading', { name: /^Good \w+, ada$/ }).waitFor();
    tabs = [first, second];
  });

  it('stay signed in, however often the token expires', async () => {
    // A reloading page may abort its own refresh, and then the other does it: none may be rejected.
    const answers: number[] = [];
    for (const tab of tabs) {
      tab.on('response', (response) => {
        if (response.url().endsWith('/auth/refresh')) answers.push(response.status());
      });
    }
    for (let round = 1; round <= rounds; round += 1) {
      const clock_change = await fetch(`${service.url}/console/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advance_s: 3_700 }),
      });
      expect(clock_change.ok).toBe(true);
      await Promise.all(tabs.map((tab) => tab.reload()));
      for (const tab of tabs) {
        await tab.getByRole('heading', { name: /^Good \w+, ada$/ }).waitFor();
        await tab.getByRole('heading', { name: 'Feed' }).waitFor();
      }
    }
    expect(new Set(answers)).toEqual(new Set([200]));
    const keys = await Promise.all(tabs.map((tab) => tab.evaluate('localStorage.getItem("asterism.session")')));
    expect(keys[0]).toBe(keys[1]);
    expect(keys[0]).toMatch(/ast_/);
  });
});
