/** Screenshots of pages, compared with those in `server/testing/gallery`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { gallery_day } from './sample-data.ts';
import { poll, type Service } from '../running/running-service.ts';
import { networkQuiet, sizes, visit } from './windows.ts';

const expected_folder = join(import.meta.dirname, '..', 'gallery');
const documents_folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'images');
const actual_folder = join(import.meta.dirname, '..', '..', '..', '.cache', 'gallery');
/** `fillService` simulates 49 minutes of the day; the real time that it needs is within one more minute. */
const now = new Date(Date.parse(gallery_day) + 50 * 60_000);
/** Fonts and machines smooth edges differently: screenshots are compared at a third of their size. */
const compared_scale = 1 / 3;
/** How far the grey value of a pixel may differ, of 255, before it counts as changed. */
const max_difference = 40;
/** What differs each time: what contains the port or keys of the service, and ages by the real clock. */
const changing = '.qr, .snippet, #place time';
/** Addresses whose identifiers differ each time, and with them the lines they need: a picture has a fixed text instead. */
const changing_texts = '.event + div bdi, .group-link';
/**
 * Changes are counted in squares of this side, in pixels of the compared size: a change of one button is a small share of a
 * page, and a large one of its square.
 */
const square_px = 24;
/** The share of changed pixels in a square that is not a change of the page. */
const max_changed = 0.12;

/** Whether the pictures are stored instead of compared. */
const is_writing = process.env['GALLERY'] === 'write';
/** What is only compared at a third of its size needs no lossless picture, which takes longer to compress. */
const format = is_writing ? ({ type: 'png' } as const) : ({ type: 'jpeg', quality: 90 } as const);

/** The pictures that documents show, by their names in the gallery. They are drawn with it, and have nothing masked. */
const in_documents = new Map([
  ['home-desk-light', 'home-desk-day'],
  ['chat-phone-dark', 'chat-phone-night'],
  ['calendar-month-desk-light', 'calendar-desk-day'],
  ['call-pair-desk-dark', 'call'],
]);

/** Makes a window reproducible: its time zone, language and time are fixed. */
export async function freezePage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
  await session.send('Emulation.setLocaleOverride', { locale: 'en-GB' });
  await page.clock.setFixedTime(now);
}

/** Signs in as an account that `fillService` created, up to the home page. */
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

/** Resolves once everything on the page is loaded and no animation runs. */
async function settle(page: Page, is_quiet: boolean): Promise<void> {
  if (is_quiet) await networkQuiet(page);
  await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
  // The map of a live link is drawn when its tiles are loaded.
  await page.locator('#map:not([hidden], [data-drawn])').waitFor({ state: 'detached' });
  await page.evaluate(
    'Promise.all([document.fonts.ready, ...document.getAnimations().map((animation) => animation.effect.getComputedTiming().iterations === Infinity ? 0 : animation.finished.catch(() => 0)), ...[...document.images].map((image) => image.decode().catch(() => 0))])',
  );
}

/** Where a screenshot differs most from the stored picture, in pixels of the page, and the share that changed there. */
type Difference = { x: number; y: number; share: number };

/** The square that differs most from the stored picture: at a third of the size and in grey. */
async function findDifference(actual: Buffer, expected: Buffer): Promise<Difference> {
  const { width, height } = await sharp(actual).metadata();
  const size = { width: Math.round(width * compared_scale), height: Math.round(height * compared_scale) };
  const pixels = (picture: Buffer) =>
    sharp(picture)
      .resize({ ...size, fit: 'fill' })
      .removeAlpha()
      .greyscale()
      .raw()
      .toBuffer();
  const [actual_pixels, expected_pixels] = await Promise.all([pixels(actual), pixels(expected)]);
  const columns = Math.ceil(size.width / square_px);
  const changed = Array<number>(columns * Math.ceil(size.height / square_px)).fill(0);
  for (const [at, grey] of actual_pixels.entries()) {
    if (Math.abs(grey - (expected_pixels[at] ?? 0)) <= max_difference) continue;
    const [x, y] = [at % size.width, Math.floor(at / size.width)];
    changed[Math.floor(y / square_px) * columns + Math.floor(x / square_px)]! += 1;
  }
  const most = Math.max(...changed);
  const square = changed.indexOf(most);
  const place = (index: number) => Math.round((index * square_px) / compared_scale);
  return { x: place(square % columns), y: place(Math.floor(square / columns)), share: most / square_px ** 2 };
}

/** Compares a screenshot with the stored one; undefined where they are equal. */
async function compare(name: string, actual: Buffer): Promise<string | undefined> {
  const expected_path = join(expected_folder, `${name}.webp`);
  const is_stored = existsSync(expected_path);
  const { x, y, share } = is_stored
    ? await findDifference(actual, readFileSync(expected_path))
    : { x: 0, y: 0, share: 1 };
  if (is_writing) {
    // A picture of a page that has not changed keeps its bytes.
    if (share > max_changed)
      writeFileSync(expected_path, await sharp(actual).webp({ quality: 70, effort: 6 }).toBuffer());
    return undefined;
  }
  if (share <= max_changed) return undefined;
  mkdirSync(actual_folder, { recursive: true });
  writeFileSync(join(actual_folder, `${name}.jpg`), actual);
  return is_stored
    ? `${name}: ${(100 * share).toFixed(0)} % of the pixels changed in the square at ${x}, ${y}`
    : `${name}: there is no picture of it`;
}

/** Draws the picture of a document, when those of the gallery are written. */
async function drawForDocuments(page: Page, name: string): Promise<void> {
  const document = in_documents.get(name);
  if (!is_writing || document === undefined) return;
  const drawn = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const picture = await sharp(drawn).png({ palette: true, effort: 10 }).toBuffer();
  writeFileSync(join(documents_folder, `${document}.png`), picture);
}

/** How a page is compared. */
export type Look = {
  /** What else on it differs each time. */
  changing?: string;
  /** Whether it stops sending requests; a call never does. */
  is_quiet?: boolean;
};

/**
 * Compares a few times where the screenshot differs: what the page still moves or fetches is complete by then. A picture
 * is stored when the page looked the same twice, unless it never does, such as a camera.
 */
async function compareWithRetries(page: Page, name: string, look: Look): Promise<string | undefined> {
  const mask = [page.locator(changing), ...(look.changing === undefined ? [] : [page.locator(look.changing)])];
  let found: string | undefined;
  let before: Buffer | undefined;
  for (let attempts = 0; attempts < 4; attempts++) {
    await settle(page, look.is_quiet ?? true);
    await page.evaluate(
      `for (const { firstChild } of document.querySelectorAll('${changing_texts}')) firstChild.data = 'localhost/e/…'`,
    );
    const actual = await page.screenshot({
      ...format,
      animations: 'disabled',
      caret: 'hide',
      mask,
      maskColor: '#8a8271',
    });
    if (is_writing && attempts < 3 && before?.equals(actual) !== true) {
      before = actual;
      continue;
    }
    found = await compare(name, actual);
    if (found === undefined) {
      await drawForDocuments(page, name);
      return undefined;
    }
  }
  return found;
}

/** Compares a page in its current state, at both sizes and in both themes. @returns what differs */
export async function comparePage(page: Page, name: string, look: Look = {}): Promise<string[]> {
  const found: (string | undefined)[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const size of ['phone', 'desk'] as const) {
      await page.setViewportSize(sizes[size]);
      found.push(await compareWithRetries(page, `${name}-${size}-${theme}`, look));
    }
  }
  return found.filter((difference) => difference !== undefined);
}

/** Compares an address at both sizes and in both themes. @returns what differs */
export async function compareAddress(page: Page, name: string, url: string, look: Look = {}): Promise<string[]> {
  await visit(page, url);
  await page.getByRole('heading').first().waitFor();
  return comparePage(page, name, look);
}
