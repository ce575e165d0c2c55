/**
 * Screenshots of every page at both sizes and in both themes, compared with those in `server/testing/gallery`.
 * `GALLERY=write` stores the current screenshots, to be reviewed before they are committed.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { freezePage, compareAddress, signInAs } from '../../browser/gallery-pictures.ts';
import { historyPagesOf, linkPagesOf, pagesOf, visitor_pages } from '../../browser/gallery-pages.ts';
import { fillService, type SampleData } from '../../browser/sample-data.ts';
import { fillHistory, type SampleHistory } from '../../browser/sample-history.ts';
import { startService, type Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'the gallery of pages', () => {
  let service: Service;
  let sample: SampleData;
  let history: SampleHistory;
  let page: Page;
  const windows = useBrowserWindows({ is_pictured: true });
  beforeAll(async () => {
    // Voice messages offer a transcript, whatever is installed here.
    service = await startService({ environment: { SPEECH_URL: 'http://127.0.0.1:9/v1' } });
    sample = await fillService(service);
    history = await fillHistory(service, sample);
    page = await windows.open();
    await freezePage(page);
    await signInAs(service, page, 'ada');
    // Away from where the form was: Home has a row there, which would be highlighted.
    await page.mouse.move(0, 0);
  }, 120_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  it('every page looks as before', async () => {
    const found: string[] = [];
    for (const [name, path] of [...pagesOf(sample), ...historyPagesOf(history, sample)])
      found.push(...(await compareAddress(page, name, service.url + (path.startsWith('/') ? path : `/app/${path}`))));
    expect(found).toEqual([]);
  }, 240_000);

  it('every page of a visitor looks as before', async () => {
    const visitor = await windows.open();
    await freezePage(visitor);
    const found: string[] = [];
    for (const [name, path] of visitor_pages)
      found.push(...(await compareAddress(visitor, name, `${service.url}/app/${path}`)));
    for (const [name, url] of linkPagesOf(history, sample)) found.push(...(await compareAddress(visitor, name, url)));
    expect(found).toEqual([]);
  }, 120_000);
});
