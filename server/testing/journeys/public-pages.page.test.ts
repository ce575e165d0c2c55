/** The pages that the service writes itself, as somebody without an account opens them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../tools/skip.ts';
import { inspectPage } from '../page-checks.ts';
import { ask, signUp } from '../running-people.ts';
import { startService, type Service } from '../running-service.ts';
import { keepWindows, missing_browser } from '../windows.ts';

describeUnlessMissing(missing_browser, 'the pages of those without an account', () => {
  let service: Service;
  let page: Page;
  const windows = keepWindows();
  beforeAll(async () => {
    service = await startService();
    const ada = await signUp(service, 'ada', '+14155550101');
    const tag = await ask(service, ada, 'POST /xtags', {
      name: 'evenings',
      title: 'Evenings',
      description: 'By the pier.',
    });
    await ask(service, ada, 'POST /statuses', { tag_id: tag.id, body: 'Doors at eight' });
    page = await windows.open('phone');
  }, 60_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  const inspect = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await inspectPage(page, `${name}-${colorScheme}`)).toEqual([]);
    }
  };

  it('show a tag in the look of the client, and lead into it', async () => {
    await page.goto(`${service.url}/t/evenings`);
    await page.getByRole('heading', { level: 1, name: 'evenings' }).waitFor();
    await page.getByText('Doors at eight').waitFor();
    const font = await page.evaluate('document.fonts.ready.then(() => document.fonts.check("16px Newsreader"))');
    expect(font).toBe(true);
    await inspect('public-tag');
    await page.getByRole('link', { name: 'Call, write or follow' }).click();
    // The client asks who it is first, and comes back to the tag after it.
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/t/evenings');
  });

  it('say that an address leads nowhere, and where to go on', async () => {
    for (const path of ['nope', 't/nobody-has-this', 'j/never']) {
      const answer = await page.goto(`${service.url}/${path}`);
      expect([path, answer?.status()]).toEqual([path, 404]);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Open Asterism' }).waitFor();
    }
    await inspect('not-found');
  });
});
