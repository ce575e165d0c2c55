/**
 * The pages that the service renders, in an Arabic browser: mirrored, within the width of a phone, and without problems
 * for axe.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { fillService } from '../../browser/sample-data.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, sizes } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'the pages of the service in Arabic', () => {
  let service: Service;
  let page: Page;
  let paths: [name: string, path: string, text: string][];
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    const { ada, event_id } = await fillService(service);
    const event = await requestAs(service, ada, `PUT /calendar/events/${event_id}/share`, { public: true });
    const expires_at = '2031-05-14T22:00:00Z';
    const link = await requestAs(service, ada, 'POST /location/links', { expires_at });
    paths = [
      ['public-tag-ar', '/t/nightwalks', 'أحضر أحدًا معك'],
      ['public-nobody-ar', '/t/nobody-here', 'لم يُعثر على الملف الشخصي'],
      ['public-event-ar', new URL(event.url as string).pathname, 'إضافة إلى تقويمك'],
      ['public-position-ar', new URL(link.url as string).pathname, 'لا موقع بعد.'],
      ['public-nope-ar', '/nope', 'الصفحة غير موجودة'],
    ];
    page = await windows.open('phone');
    await page.setExtraHTTPHeaders({ 'accept-language': 'ar-EG,ar;q=0.9,en;q=0.3' });
  });

  it('are mirrored, fit the window, and are accessible', async () => {
    for (const [name, path, text] of paths) {
      await page.goto(service.url + path);
      await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
      await page.getByText(text).first().waitFor();
      expect(await inspectPage(page, name, 'each')).toEqual([]);
      // The name of the service is at the start of the line, and the sign-in link at its end.
      const [brand, sign_in] = [await page.locator('.brand').boundingBox(), await page.locator('.get').boundingBox()];
      expect([name, (brand?.x ?? 0) > (sign_in?.x ?? 0)]).toEqual([name, true]);
    }
  });

  it.each(['ar', 'de', 'en', 'es', 'fr'])(
    'have one top bar without a line break on a phone in %s',
    async (language) => {
      await page.setExtraHTTPHeaders({ 'accept-language': language });
      await page.setViewportSize(sizes.phone);
      await page.goto(`${service.url}/nope`);
      expect(await inspectPage(page, `public-nope-${language}`, 'each')).toEqual([]);
      await page.setViewportSize(sizes.phone);
      const boxes = await Promise.all(
        ['.brand', '.bar a:nth-child(2)', '.get'].map((part) => page.locator(part).boundingBox()),
      );
      expect(boxes.map((box) => (box?.height ?? 0) <= 44)).toEqual([true, true, true]);
      expect(Math.max(...boxes.map((box) => box?.y ?? 0)) - Math.min(...boxes.map((box) => box?.y ?? 0))).toBeLessThan(
        20,
      );
    },
  );

  it('show the name of a tag from left to right, after its asterisk', async () => {
    await page.setExtraHTTPHeaders({ 'accept-language': 'ar' });
    await page.goto(`${service.url}/t/nightwalks`);
    const [star, name] = [page.locator('.card h1 .aster'), page.locator('.card h1 bdi')];
    const [star_box, name_box] = [await star.boundingBox(), await name.boundingBox()];
    expect(star_box?.x).toBeLessThan(name_box?.x ?? 0);
  });
});
