/**
 * The web client in other languages: chosen in the settings, used on every page, and written from right to left for
 * Arabic.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { signInAs } from '../../browser/gallery-pictures.ts';
import { pagesOf } from '../../browser/gallery-pages.ts';
import { gallery_day, fillService, type SampleData } from '../../browser/sample-data.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, networkQuiet, password, visit } from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
/** The catalogues of the client, and those of the service. */
const folders = ['web/src/locales', 'server/locales', 'server/locales/refusals'].map((folder) => join(root, folder));
const readCatalogue = (language: string): Record<string, string> =>
  Object.assign({}, ...folders.map((folder) => JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'))));

/**
 * Patterns of the English messages that a language translates differently; those that are little more than values are
 * omitted.
 */
function englishOf(language: string): string[] {
  return Object.entries(readCatalogue(language))
    .filter(([english, translation]) => english !== translation && !/, (plural|select|selectordinal),/.test(english))
    .map(([english]) => english.replaceAll(/<\/?\w+>/g, ''))
    .filter((english) => english.replaceAll(/\{\w+\}|[^A-Za-z]/g, '').length > 5)
    .map((english) =>
      english
        .split(/\{\w+\}/)
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
        .join('.+'),
    );
}

/** Texts of the page that match one of the patterns: visible text, and labels for screen readers. */
function findEnglish(page: Page, patterns: string[]): Promise<string[]> {
  return page.evaluate(`(() => {
    const is_english = new RegExp(${JSON.stringify(`^(?:${patterns.join('|')})$`)});
    const texts = new Set([document.title.replace(' · Asterism', '')]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.parentElement.closest('script, style, noscript, option') === null) texts.add(node.textContent.trim());
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll('[' + name + ']')) texts.add(element.getAttribute(name).trim());
    return [...texts].filter((text) => is_english.test(text));
  })()`);
}

/** Pages that are the same for signed-out visitors, which have separate tests. */
const left_out = new Set(['dead-link', 'guest-refused', 'public-tag', 'not-found']);

describeUnlessMissing(missing_browser, 'the client in other languages', () => {
  let service: Service;
  let sample: SampleData;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    sample = await fillService(service);
    page = await windows.open();
    await page.clock.setFixedTime(new Date(gallery_day));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
    await signInAs(service, page, 'ada');
  });

  async function settle(): Promise<void> {
    await page.getByRole('main').waitFor();
    await networkQuiet(page);
    await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
  }

  const choose = (language: string) => page.locator('select:has(option[value="ar"])').selectOption(language);

  it.each([
    { language: 'ar', direction: 'rtl', size: 'phone', you: 'أنت', day: 'الأربعاء، 14 مايو' },
    { language: 'de', direction: 'ltr', size: 'desk', you: 'Du', day: 'Mittwoch, 14. Mai' },
  ] as const)(
    'shows $language on every page, as soon as it is chosen',
    async ({ language, direction, size, you, day }) => {
      await page.goto(`${service.url}/app/settings/profile`);
      await page.evaluate('window.is_same_page = true');
      await choose(language);
      await page.locator(`html[lang="${language}"][dir="${direction}"]`).waitFor();
      await page.getByRole('heading', { name: you, exact: true }).waitFor();
      expect(await page.evaluate('window.is_same_page')).toBe(true);
      const patterns = englishOf(language);
      expect(patterns.length).toBeGreaterThan(900);
      const found: string[] = [];
      for (const [name, path] of pagesOf(sample).filter(([page_name]) => !left_out.has(page_name))) {
        await visit(page, `${service.url}/app/${path}`);
        await settle();
        found.push(...(await findEnglish(page, patterns)).map((text) => `${name}: ${text}`));
        if (name === 'calendar-month') expect(await page.getByRole('main').innerText()).toContain(day);
        found.push(...(await inspectPage(page, `${name}-${language}`, size)));
      }
      expect(found).toEqual([]);
    },
  );

  it('previews commands in the current language, also those previewed before in another', async () => {
    const bar = page.getByRole('dialog');
    const input = bar.getByRole('combobox');
    const open = async () => {
      await page.keyboard.press('Control+k');
      await input.waitFor();
    };
    await page.goto(`${service.url}/app/settings/profile`);
    await choose('de');
    await page.locator('html[lang="de"]').waitFor();
    await open();
    const option = (name: RegExp) => bar.getByRole('option', { name }).waitFor();
    await option(/Leute, eine Gruppe oder ein Telefon anrufen.*call …wer/s);
    await input.fill('status Servus');
    await bar.getByText('„Servus“ jetzt posten.').waitFor();
    await page.keyboard.press('Escape');
    await choose('es');
    await page.locator('html[lang="es"]').waitFor();
    await open();
    await option(/Llama a personas, a un grupo o a un teléfono.*call …quién/s);
    await input.fill('status Servus');
    await bar.getByText('Publicar ahora «Servus».').waitFor();
    await page.keyboard.press('Escape');
  });

  it('registers an account in the language of the browser', async () => {
    const visitor = await windows.open();
    await visitor.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ['de-AT', 'en'] })`);
    // Errors of the service are in that language as well.
    await visitor.goto(`${service.url}/app/sign-in`);
    await visitor.getByLabel(/Benutzername/).fill('nobody');
    await visitor.getByLabel('Passwort', { exact: true }).fill('a wrong password');
    await visitor.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await visitor.getByText('Benutzername oder Passwort ist falsch.').waitFor();
    await visitor.goto(`${service.url}/app/register`);
    await visitor.getByLabel('Benutzername').fill('admin');
    await visitor.getByLabel('E-Mail').fill('gerda@example.org');
    await visitor.getByLabel('Passwort', { exact: true }).fill(password);
    await visitor.getByRole('button', { name: 'Konto erstellen' }).click();
    await visitor.getByText('Dieser Name ist reserviert.').waitFor();
    await visitor.getByLabel('Benutzername').fill('gerda');
    await visitor.getByLabel('E-Mail').fill('gerda@example.org');
    await visitor.getByLabel('Passwort', { exact: true }).fill(password);
    await visitor.getByRole('button', { name: 'Konto erstellen' }).click();
    const code = await service.codeFor('gerda@example.org');
    const saved = visitor.waitForResponse(
      (response) => response.request().method() === 'PATCH' && response.url().endsWith('/v1/me'),
    );
    // The last digit submits the code.
    await visitor.getByLabel('Code').fill(code);
    expect(await (await saved).json()).toMatchObject({ locale: 'de-AT' });
    await visitor.getByRole('heading', { name: 'Bestätige deine Handynummer' }).waitFor();
  });

  it('has its language and direction before any script is loaded', async () => {
    const visitor = await windows.open();
    await visitor.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ['ar-EG', 'en'] })`);
    await visitor.setExtraHTTPHeaders({ 'accept-language': 'ar-EG,en;q=0.5' });
    await visitor.route('**/app/assets/**', (route) => route.abort());
    const sent = await visitor.goto(`${service.url}/app/`);
    expect(await sent?.text()).toContain('<html lang="ar" dir="rtl">');
    const languageAndDirection = () =>
      visitor.evaluate('[document.documentElement.lang, document.documentElement.dir]');
    expect(await languageAndDirection()).toEqual(['ar', 'rtl']);
    // What the page will begin with is shown as well, where it is in that language.
    const title = visitor.getByRole('heading', { name: 'يصل إليك', includeHidden: true });
    await title.waitFor();
    // The account's language, which the service does not know when it serves the page.
    await visitor.evaluate(`localStorage.setItem('asterism.locale', 'de-AT')`);
    await visitor.reload();
    expect(await languageAndDirection()).toEqual(['de', 'ltr']);
    await title.waitFor({ state: 'hidden' });
    await visitor.locator('#splash svg').waitFor();
    await visitor.unroute('**/app/assets/**');
    await visitor.reload();
    await visitor.getByRole('heading', { name: 'Ein Name, der dich erreicht' }).waitFor();
    await expect.poll(() => visitor.locator('#welcome').count()).toBe(0);
  });

  it('returns to English', async () => {
    await page.goto(`${service.url}/app/settings/profile`);
    await choose('en');
    await page.locator('html[lang="en"][dir="ltr"]').waitFor();
    await page.getByRole('heading', { name: 'About you' }).waitFor();
  });
});
