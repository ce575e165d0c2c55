/** Pictures of pages, beside those that are kept in `server/testing/gallery`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { gallery_day } from './lived-in.ts';
import { poll, type Service } from './running-service.ts';
import { networkQuiet, sizes } from './windows.ts';

const kept_folder = join(import.meta.dirname, 'gallery');
const seen_folder = join(import.meta.dirname, '..', '..', '.cache', 'gallery');
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

/** Makes a window the same each time: its zone, language and time, and nothing that moves. */
export async function holdStill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
  await session.send('Emulation.setLocaleOverride', { locale: 'en-GB' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.setFixedTime(now);
}

/** Signs somebody in whom `fillService` made, up to the home page. */
export async function signInAs(service: Service, page: Page, username: string): Promise<void> {
  const email = `${username}@example.org`;
  await page.goto(`${service.url}/app/sign-in`);
  await page.getByLabel(/Username/).fill(username);
  await page.getByLabel('Password', { exact: true }).fill('a warm copper lantern');
  const before = await service.codeFor(email);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').waitFor();
  const code = await poll(async () => {
    const newest = await service.codeFor(email);
    return newest !== before && newest;
  }, 'a new code');
  await page.getByLabel('Code').fill(code);
  await page.getByRole('heading', { name: /^Good / }).waitFor();
}

/** Resolves once everything that the page shows has come and stands still. */
async function settle(page: Page, is_quiet: boolean): Promise<void> {
  if (is_quiet) await networkQuiet(page);
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

/** How a page is looked at. */
export type Look = {
  /** What else of it is another one each time. */
  changing?: string;
  /** Whether it stops asking for things; a call never does. */
  is_quiet?: boolean;
};

/** Looks a few times where the picture is another one: what a page still moves or fetches has come by then. */
async function lookUntilAlike(page: Page, name: string, look: Look): Promise<string | undefined> {
  const mask = [page.locator(changing), ...(look.changing === undefined ? [] : [page.locator(look.changing)])];
  let found: string | undefined;
  for (let tries = 0; tries < 4; tries++) {
    await settle(page, look.is_quiet ?? true);
    const seen = await page.screenshot({ animations: 'disabled', caret: 'hide', mask, maskColor: '#8a8271' });
    found = await compare(name, seen);
    if (found === undefined) return undefined;
  }
  return found;
}

/** Looks at a page as it stands, at both sizes and in both themes. @returns what is not as it was */
export async function lookAround(page: Page, name: string, look: Look = {}): Promise<string[]> {
  const found: (string | undefined)[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const size of ['phone', 'desk'] as const) {
      await page.setViewportSize(sizes[size]);
      found.push(await lookUntilAlike(page, `${name}-${size}-${theme}`, look));
    }
  }
  return found.filter((one) => one !== undefined);
}

/** Looks at an address at both sizes and in both themes. @returns what is not as it was */
export async function lookAt(page: Page, name: string, url: string, look: Look = {}): Promise<string[]> {
  await page.goto(url);
  await page.getByRole('heading').first().waitFor();
  return lookAround(page, name, look);
}
