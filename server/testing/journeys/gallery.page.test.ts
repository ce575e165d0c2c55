/**
 * Every page in one picture: at both sizes and in both themes, beside the pictures that are kept in `server/testing/gallery`.
 * `GALLERY=write` keeps what is seen as the new pictures, to be looked at before they are committed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describeUnlessMissing } from '../../../tools/skip.ts';
import { gallery_day, fillService, type LivedIn } from '../lived-in.ts';
import { poll, startService, type Service } from '../running-service.ts';
import { keepWindows, missing_browser, sizes } from '../windows.ts';

const kept_folder = join(import.meta.dirname, '..', 'gallery');
const seen_folder = join(import.meta.dirname, '..', '..', '..', '.cache', 'gallery');
/** Since the day began, 49 minutes were passed by `fillService`; what the machine took for it hides within one more. */
const now = new Date(Date.parse(gallery_day) + 50 * 60_000);
/** Fonts and machines smooth edges in their own ways: pictures are compared at a third of their size. */
const compared_scale = 1 / 3;
/** How far the grey of a pixel may be off, of 255, before it counts as another one. */
const max_difference = 40;
/** What holds the port of the service, which is another one each time. */
const changing = '.qr';
/** The share of other pixels that is no change of the page. */
const max_changed = 0.01;

const pagesOf = ({
  ben,
  tag_id,
  post_id,
  group_id,
  thread_id,
  event_id,
  contact_id,
}: LivedIn): [name: string, path: string][] => [
  ['home', ''],
  ['chats', 'messages'],
  ['chat', `messages/${thread_id}`],
  ['group-chat', `messages/group/${group_id}`],
  ['calls', 'calls'],
  ['inbox', 'inbox'],
  ['favourites', 'grid'],
  ['people', 'people'],
  ['followers', 'people/followers'],
  ['person', `u/${ben.id}`],
  ['contacts', 'contacts'],
  ['contact', `contacts/${contact_id}`],
  ['import', 'contacts/import'],
  ['groups', 'groups'],
  ['group', `groups/${group_id}`],
  ['calendar-month', 'calendar'],
  ['calendar-week', 'calendar?view=week'],
  ['event', `calendar/${event_id}`],
  ['scheduled', 'scheduled'],
  ['search', 'search?q=jazz'],
  ['tags', 'tags'],
  ['tag', `tags/${tag_id}`],
  ['tag-profile', 't/jazz'],
  ['status', `status/${post_id}`],
  ['activity', 'notifications'],
  ['invites', 'invites'],
  ['widgets', 'widgets'],
  ['you', 'settings'],
  ['notification-settings', 'settings/notifications'],
  ['plan', 'settings/plan'],
  ['dead-link', 'j/aaa-bbbb-ccc'],
  ['guest-refused', 'g/aaa-bbbb-ccc'],
  ['public-tag', '/t/jazz'],
  ['not-found', '/nope'],
];

describeUnlessMissing(missing_browser, 'the gallery of pages', () => {
  let service: Service;
  let lived: LivedIn;
  let page: Page;
  const windows = keepWindows();
  beforeAll(async () => {
    service = await startService();
    lived = await fillService(service);
    page = await windows.open();
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
    await session.send('Emulation.setLocaleOverride', { locale: 'en-GB' });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.clock.setFixedTime(now);
    await signIn();
  }, 120_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  async function signIn(): Promise<void> {
    await page.goto(`${service.url}/app/sign-in`);
    await page.getByLabel(/Username/).fill('ada');
    await page.getByLabel('Password', { exact: true }).fill('a warm copper lantern');
    const before = await service.codeFor('ada@example.org');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code').waitFor();
    const code = await poll(async () => {
      const newest = await service.codeFor('ada@example.org');
      return newest !== before && newest;
    }, 'a new code');
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('heading', { name: /^Good / }).waitFor();
  }

  /** Resolves once everything that the page shows has come and stands still. */
  async function settle(): Promise<void> {
    await page.waitForLoadState('networkidle');
    await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
    await page.evaluate(
      'Promise.all([document.fonts.ready, ...document.getAnimations().map((one) => one.effect.getComputedTiming().iterations === Infinity ? 0 : one.finished.catch(() => 0)), ...[...document.images].map((one) => one.decode().catch(() => 0))])',
    );
  }

  /** Compares a picture with the one that is kept; undefined where they are alike. */
  async function compare(name: string, seen: Buffer): Promise<string | undefined> {
    const kept_path = join(kept_folder, `${name}.webp`);
    if (process.env['GALLERY'] === 'write') {
      mkdirSync(kept_folder, { recursive: true });
      writeFileSync(kept_path, await sharp(seen).webp({ quality: 70, effort: 6 }).toBuffer());
      return undefined;
    }
    if (!existsSync(kept_path)) return `${name}: there is no picture of it`;
    const { width, height } = await sharp(seen).metadata();
    const size = { width: Math.round(width * compared_scale), height: Math.round(height * compared_scale) };
    const pixels = (picture: Buffer) =>
      sharp(picture)
        .resize({ ...size, fit: 'fill' })
        .removeAlpha()
        .greyscale()
        .raw()
        .toBuffer();
    const [one, other] = await Promise.all([pixels(seen), pixels(readFileSync(kept_path))]);
    let changed = 0;
    for (const [at, grey] of one.entries()) if (Math.abs(grey - (other[at] ?? 0)) > max_difference) changed += 1;
    if (changed / one.length <= max_changed) return undefined;
    mkdirSync(seen_folder, { recursive: true });
    writeFileSync(join(seen_folder, `${name}.png`), seen);
    return `${name}: ${((100 * changed) / one.length).toFixed(1)} % of the pixels changed`;
  }

  /** Looks a few times where the picture is another one: what a page still moves or fetches has come by then. */
  async function lookUntilAlike(name: string): Promise<string | undefined> {
    let found: string | undefined;
    for (let tries = 0; tries < 4; tries++) {
      await settle();
      const seen = await page.screenshot({ caret: 'hide', mask: [page.locator(changing)], maskColor: '#8a8271' });
      found = await compare(name, seen);
      if (found === undefined) return undefined;
    }
    return found;
  }

  /** Looks at a page in both themes, loaded anew for each, and at both sizes. */
  async function lookAt(name: string, path: string): Promise<string[]> {
    const found: (string | undefined)[] = [];
    for (const theme of ['light', 'dark'] as const) {
      // The client goes by the system's theme where none was chosen, as what the service writes itself does.
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(service.url + (path.startsWith('/') ? path : `/app/${path}`));
      await page.getByRole('heading').first().waitFor();
      for (const size of ['phone', 'desk'] as const) {
        await page.setViewportSize(sizes[size]);
        found.push(await lookUntilAlike(`${name}-${size}-${theme}`));
      }
    }
    return found.filter((one) => one !== undefined);
  }

  it('looks as it did', async () => {
    const found: string[] = [];
    for (const [name, path] of pagesOf(lived)) found.push(...(await lookAt(name, path)));
    expect(found).toEqual([]);
  }, 240_000);
});
