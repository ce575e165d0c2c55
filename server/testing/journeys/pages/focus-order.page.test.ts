/** Tab leads through the main pages without hiding what has the focus, behind the tabs of a phone or otherwise. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { findHiddenFocus, findLostFocus } from '../../browser/focus-order.ts';
import { focusedElement } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import { pagesOf } from '../../browser/gallery-pages.ts';
import type { SampleData } from '../../browser/sample-data.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import type { Service } from '../../running/running-service.ts';
import { missing_browser, networkQuiet, sizes, useBrowserWindows, visit } from '../../browser/windows.ts';

/** By their names in the gallery. */
const main_pages = new Set(
  'home chats chat calls people you calendar-month activity person contact group tag-profile status profile'.split(' '),
);

/** Openers of menus, sheets and dialogs of all kinds, by the page that they are on. */
const layers = new Map<string, readonly (string | RegExp)[]>([
  ['home', [/Say something/, /^Ben Okafor$|^B Ben Okafor$/, /^More about this post/, /^Picture, posted by/]],
  ['chats', [/^Chat options for Ben/]],
  ['chat', [/^More about Ben/, /^More about “The pier/, 'Edited']],
  ['contacts', ['Add', 'Import or export']],
  ['group', ['Edit', 'Delete the group']],
  ['tag-profile', [/^Share/]],
  ['calendar-month', ['New event', 'Subscribe from another calendar']],
  ['event', ['Edit', 'Share']],
  ['map', ['Share your location', 'New link']],
  ['scheduled', ['Reminder']],
  ['tags', ['New tag']],
  ['widgets', ['New widget']],
]);

/** One of each kind at a desk, where dialogs are centred, and a picker opens beside its button. */
const desk_layers = new Map<string, readonly (string | RegExp)[]>([
  ['home', [/Say something/, /^More about this post/, /^Picture, posted by/]],
  ['chat', [/^More about “The pier/]],
  ['group', ['Delete the group']],
  ['map', ['Share your location']],
]);

describeUnlessMissing(missing_browser, 'the focus', () => {
  let service: Service;
  let sample: SampleData;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, sample, page } = await openSampleWindow(windows, 'phone'));
  });

  it.each(['phone', 'desk'] as const)('is visible on the main pages, at the size of a %s', async (size) => {
    await page.setViewportSize(sizes[size]);
    const found: string[] = [];
    for (const [name, path] of pagesOf(sample).filter(([one]) => main_pages.has(one))) {
      await page.goto(`${service.url}/app/${path}`);
      await page.getByRole('main').waitFor();
      await networkQuiet(page);
      found.push(...(await findHiddenFocus(page)).map((problem) => `${name}: ${problem}`));
    }
    expect(found).toEqual([]);
  });

  it('leads through the top of a tag first', async () => {
    const [, path] = pagesOf(sample).find(([one]) => one === 'tag-profile') ?? [];
    await page.setViewportSize(sizes.phone);
    await page.goto(`${service.url}/app/${path}`);
    await page.getByRole('button', { name: /^Share/ }).waitFor();
    await page.getByRole('main').focus();
    const names: string[] = [];
    for (let presses = 0; presses < 2; presses += 1) {
      await page.keyboard.press('Tab');
      names.push(await page.evaluate('document.activeElement.textContent'));
    }
    expect(names).toEqual(['Back', expect.stringMatching(/^Share \*/)]);
  });

  it.each([
    ['phone', layers],
    ['desk', desk_layers],
  ] as const)(
    'stays in what is open, and returns to its opener, at the size of a %s',
    async (size, openers) => {
      await page.setViewportSize(sizes[size]);
      const found: string[] = [];
      for (const [name, path] of pagesOf(sample).filter(([one]) => openers.has(one))) {
        await visit(page, `${service.url}/app/${path}`);
        await page.getByRole('main').waitFor();
        await networkQuiet(page);
        for (const opener of openers.get(name) ?? []) {
          const control = page
            .getByRole('button', { name: opener })
            .or(page.getByRole('link', { name: opener }))
            .first();
          const problems = await findLostFocus(page, control);
          found.push(...problems.map((problem) => `${name}, ${opener.toString()}: ${problem}`));
        }
      }
      expect(found).toEqual([]);
    },
    120_000,
  );

  it('is visible in the lobby and on the stage of a call, and stays in its menus', async () => {
    const { join_code } = await requestAs(service, sample.ada, 'POST /calls', { to: [], media: 'video' });
    await page.setViewportSize(sizes.desk);
    const found: string[] = [];
    const walk = async (where: string) => {
      await page.evaluate('window.passedByTab = new Set()');
      found.push(...(await findHiddenFocus(page)).map((problem) => `${where}: ${problem}`));
    };
    await page.goto(`${service.url}/app/j/${join_code}`);
    const join = page.getByRole('button', { name: 'Join', exact: true });
    await join.waitFor();
    await walk('lobby');
    await join.press('Enter');
    await page.getByRole('button', { name: 'Leave', exact: true }).waitFor();
    await walk('stage');
    for (const name of ['React', 'Devices', /^More about this call/, /^Add/]) {
      const problems = await findLostFocus(page, page.getByRole('button', { name }).first());
      found.push(...problems.map((problem) => `${name.toString()}: ${problem}`));
    }
    // Up and down are the keys of the menu; its reactions are beside each other.
    await page.getByRole('button', { name: 'React' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Thumbs up' }).press('ArrowRight');
    expect((await focusedElement(page)).name).toContain('Heart');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Leave', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Leave', exact: true }).waitFor({ state: 'detached' });
    expect(found).toEqual([]);
  });
});
