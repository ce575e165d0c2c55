/** The pages that the service renders itself, as visitors without an account open them. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs, signUp, type RunningPerson } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'the public pages', () => {
  let service: Service;
  let page: Page;
  let ada: RunningPerson;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    ada = await signUp(service, 'ada', '+14155550101');
    const tag = await requestAs(service, ada, 'POST /xtags', {
      name: 'evenings',
      title: 'Evenings',
      description: 'By the pier.',
    });
    await requestAs(service, ada, 'POST /statuses', { tag_id: tag.id, body: 'Doors at eight' });
    page = await windows.open('phone');
  });

  const inspect = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await inspectPage(page, `${name}-${colorScheme}`)).toEqual([]);
    }
  };

  it('show a tag in the style of the client, with a link into it', async () => {
    await page.goto(`${service.url}/t/evenings`);
    await page.getByRole('heading', { level: 1, name: 'evenings' }).waitFor();
    await page.getByText('Doors at eight').waitFor();
    const font = await page.evaluate('document.fonts.ready.then(() => document.fonts.check("16px Newsreader"))');
    expect(font).toBe(true);
    await inspect('public-tag');
    await page.getByRole('link', { name: 'Call, write or follow' }).click();
    // The client requires signing in first, and returns to the tag afterwards.
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/t/evenings');
  });

  it('show a shared event in the same style', async () => {
    const event = await requestAs(service, ada, 'POST /calendar/events', {
      title: 'Night walk',
      description: 'Bring a lamp.',
      location: 'The pier',
      starts_at: '2035-05-14T20:30:00Z',
      ends_at: '2035-05-14T22:30:00Z',
    });
    const { url } = await requestAs(service, ada, `PUT /calendar/events/${event.id}/share`, { public: true });
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: 'Night walk' }).waitFor();
    await page.getByRole('link', { name: 'Add to your calendar' }).waitFor();
    await inspect('public-event');
  });

  it('return 404 for an unknown address, with a link to the client', async () => {
    for (const path of ['nope', 't/nobody-has-this', 'j/never']) {
      const answer = await page.goto(`${service.url}/${path}`);
      expect([path, answer?.status()]).toEqual([path, 404]);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Open Asterism' }).waitFor();
    }
    await inspect('not-found');
  });

  it("draw a person's position on the service's own map, and follow it live", async () => {
    const wire = (moment_ms: number) => new Date(moment_ms).toISOString().replace(/\.\d+Z$/, 'Z');
    const report = (latitude: number, longitude: number) =>
      requestAs(service, ada, 'POST /location/report', {
        latitude,
        longitude,
        accuracy_m: 8,
        recorded_at: wire(Date.now()),
      });
    const { url } = await requestAs(service, ada, 'POST /location/links', { expires_at: wire(Date.now() + 3_600_000) });
    const requested_urls: string[] = [];
    page.on('request', (request) => requested_urls.push(request.url()));
    await page.goto(url);
    await page.getByText('No location yet.').waitFor();
    // Without a position there is nothing to draw, and nothing to open elsewhere.
    expect(await page.locator('#map').isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'Open in your map' }).isVisible()).toBe(false);
    const tile = page.waitForResponse((answer) => answer.url().includes('/map/tiles/') && answer.ok());
    await report(52.52, 13.405);
    await page.locator('#map canvas').waitFor();
    await tile;
    await page.getByText('52.52000, 13.40500 (within 8 m)').waitFor();
    await page.getByRole('link', { name: 'Open in your map' }).waitFor();
    const pin = page.locator('.pin');
    expect(await pin.innerText()).toContain('ada');
    await page.locator('#map[data-drawn]').waitFor();
    await inspect('live-link');
    const before = await pin.boundingBox();
    await report(52.9, 13.9);
    await page.getByText('52.90000, 13.90000').waitFor();
    await expect.poll(async () => (await pin.boundingBox())?.x).not.toBe(before?.x);
    expect(
      requested_urls.filter(
        (address) => new URL(address).origin !== new URL(service.url).origin && !address.startsWith('blob:'),
      ),
    ).toEqual([]);
  });
});
