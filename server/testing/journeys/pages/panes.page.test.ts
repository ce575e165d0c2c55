/** Lists with what is open beside them: People, You, Activity, Search and posts, at a desk and on a phone. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { focusedElement, inspectPage } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import type { SampleData } from '../../browser/sample-data.ts';
import { openSampleWindow } from '../../browser/sample-window.ts';
import { poll, type Service } from '../../running/running-service.ts';
import { areaLink, useBrowserWindows, missing_browser, networkQuiet, sizes, visit } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'lists and what is open beside them', () => {
  let service: Service;
  let sample: SampleData;
  let page: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, sample, page } = await openSampleWindow(windows, 'desk'));
  });
  beforeEach(() => page.setViewportSize(sizes.desk));

  const open = (path: string) => visit(page, `${service.url}/app/${path}`);
  const list = (name = 'People') => page.getByRole('region', { name, exact: true });
  const detail = () => page.getByRole('region', { name: 'Details', exact: true });
  const title = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
  /** The rows of the list that are marked as open. */
  const openRows = () => list().locator('li a[aria-current]');

  it('keeps the list beside what is opened from it, and marks its row', async () => {
    await open('people');
    await title('People').waitFor();
    await detail().getByRole('heading', { name: 'Select a tag' }).waitFor();
    await list().getByRole('link', { name: '*jazz' }).click();
    await detail().getByRole('heading', { name: '*jazz', level: 1 }).waitFor();
    expect(await openRows().allInnerTexts()).toEqual(['*jazz']);
    expect(await page.title()).toContain('*jazz');
    expect((await focusedElement(page)).name).toBe('*jazz');
    expect(await inspectPage(page, 'people-tag')).toEqual([]);
    // What is opened from there keeps the list, and a reload does.
    await detail().getByRole('link', { name: 'Ben Okafor' }).first().click();
    await detail().getByRole('heading', { name: 'Ben Okafor', level: 1 }).waitFor();
    await page.reload();
    await detail().getByRole('heading', { name: 'Ben Okafor', level: 1 }).waitFor();
    await list().getByRole('link', { name: '*moths' }).waitFor();
    await page.goBack();
    await detail().getByRole('heading', { name: '*jazz', level: 1 }).waitFor();
    await page.goBack();
    await title('People').waitFor();
    expect(await openRows().count()).toBe(0);
  });

  it('walks along the rows by arrow keys, also from the search field', async () => {
    await open('people');
    await list().getByRole('link', { name: '*moths' }).focus();
    await page.keyboard.press('ArrowDown');
    expect((await focusedElement(page)).name).toBe('*jazz');
    await page.keyboard.press('Enter');
    await detail().getByRole('heading', { name: '*jazz', level: 1 }).waitFor();
    await page.keyboard.press('ArrowUp');
    expect((await focusedElement(page)).name).toBe('*moths');
    expect(await openRows().allInnerTexts()).toEqual(['*jazz']);
    await open('contacts');
    await list()
      .getByRole('link', { name: /^Bea Lindqvist/ })
      .waitFor();
    await page.getByLabel('Search contacts').focus();
    await page.keyboard.press('ArrowDown');
    expect((await focusedElement(page)).name).toContain('Bea Lindqvist');
  });

  it('shows a person beside the list that they were opened from', async () => {
    await open('people/followers');
    await list().getByRole('link', { name: 'Dara Lind' }).click();
    await title('Dara Lind').waitFor();
    expect(await openRows().allInnerTexts()).toEqual(['Dara Lind']);
    await list().getByRole('link', { name: 'Followers' }).and(page.locator('[aria-current]')).waitFor();
    await detail()
      .getByRole('link', { name: /^\*moths/ })
      .click();
    await title('*moths').waitFor();
    await list().getByRole('link', { name: 'Emil Sato' }).waitFor();
    expect(await areaLink(page, /^People/).getAttribute('aria-current')).toBe('page');
    // From elsewhere a person is beside the first list, and a tag is a page of its own.
    await open(`u/${sample.ben.id}`);
    await title('Ben Okafor').waitFor();
    await list().getByRole('link', { name: '*jazz' }).waitFor();
    await open('t/moths');
    await title('*moths').waitFor();
    expect(await list().count()).toBe(0);
  });

  it('shows contacts and groups beside their lists, and returns to the list from one that is deleted', async () => {
    const { id } = await requestAs(service, sample.ada, 'POST /contacts', { name: 'Zoe' });
    await open(`contacts/${id}`);
    await title('Zoe').waitFor();
    await expect.poll(async () => (await openRows().allInnerTexts()).join()).toContain('Zoe');
    await page.getByRole('button', { name: 'Delete Zoe' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await title('People').waitFor();
    await detail().getByRole('heading', { name: 'Select a contact' }).waitFor();
    await list().getByRole('link', { name: 'Groups' }).click();
    await list().getByRole('link', { name: 'Sunday walkers' }).click();
    await title('Sunday walkers').waitFor();
    await detail().getByRole('list', { name: 'Members' }).getByRole('link', { name: 'Ben Okafor' }).click();
    await title('Ben Okafor').waitFor();
    await list().getByRole('link', { name: 'Sunday walkers' }).waitFor();
  });

  it('keeps the position of the list, and begins each page at its top', async () => {
    for (let index = 0; index < 24; index += 1)
      await requestAs(service, sample.ada, 'POST /contacts', { name: `Neighbour ${String(index).padStart(2, '0')}` });
    await page.setViewportSize({ width: 1280, height: 480 });
    await open('contacts');
    await list().getByRole('link', { name: 'Neighbour 20' }).scrollIntoViewIfNeeded();
    const scrolled = (which: 'list' | 'detail') =>
      page.evaluate(`document.querySelector('.pane.${which} > .scroll').scrollTop`) as Promise<number>;
    const before = await scrolled('list');
    expect(before).toBeGreaterThan(200);
    await list().getByRole('link', { name: 'Neighbour 20' }).click();
    await title('Neighbour 20').waitFor();
    await networkQuiet(page);
    expect(await scrolled('list')).toBe(before);
    await list().getByRole('link', { name: 'Grandmother' }).click();
    await title('Grandmother').waitFor();
    await page.evaluate(`document.querySelector('.pane.detail > .scroll').scrollTop = 60`);
    await list().getByRole('link', { name: 'Bea Lindqvist' }).click();
    await title('Bea Lindqvist').waitFor();
    expect(await scrolled('detail')).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  });

  it('shows one of the two on a phone, with an arrow back to the list', async () => {
    await page.setViewportSize(sizes.phone);
    await open('contacts');
    await title('People').waitFor();
    expect(await detail().isVisible()).toBe(false);
    await page.getByRole('link', { name: /^Grandmother/ }).click();
    await title('Grandmother').waitFor();
    expect(await list().isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await title('People').waitFor();
    await page.getByRole('link', { name: /^Grandmother/ }).waitFor();
  });

  it('shows a past call beside the list of calls, and whom to call while none is open', async () => {
    await requestAs(service, sample.ben, 'POST /calls', { to: [{ user_id: sample.ada.id }] });
    await requestAs(service, sample.ben, 'DELETE /calls/active');
    await open('calls');
    await detail().getByRole('heading', { name: 'Favourites' }).waitFor();
    await detail().getByRole('button', { name: 'Call Dara Lind' }).waitFor();
    await list('Call').getByRole('link', { name: 'Ben Okafor', exact: true }).click();
    await title('Ben Okafor').waitFor();
    await detail().getByText('Incoming · Missed').waitFor();
    expect(await list('Call').locator('li a[aria-current]').allInnerTexts()).toEqual(['Ben Okafor']);
    expect(await inspectPage(page, 'past-call')).toEqual([]);
    await detail()
      .getByRole('link', { name: /^Ben Okafor/ })
      .click();
    await page.waitForURL(/\/u\//);
    await open('calls/conf_00000000000000000000000000');
    await detail().getByRole('heading', { name: 'Call not found' }).waitFor();
    await list('Call').getByRole('link', { name: 'Ben Okafor', exact: true }).waitFor();
  });

  it('shows the pages of You beside its list', async () => {
    await open('settings');
    await list('You').getByRole('link', { name: 'Widgets' }).click();
    await title('Widgets').waitFor();
    await detail()
      .getByRole('link', { name: /Ask the walkers/ })
      .click();
    await title('Ask the walkers').waitFor();
    expect(await list('You').locator('li a[aria-current]').allInnerTexts()).toEqual(['Widgets']);
    expect(await inspectPage(page, 'you-widget')).toEqual([]);
    await detail().getByRole('link', { name: 'All widgets' }).click();
    await title('Widgets').waitFor();
    await list('You').getByRole('link', { name: 'Your tags' }).click();
    await detail().getByRole('link', { name: '*nightwalks' }).click();
    await title('*nightwalks').waitFor();
    expect(await list('You').locator('li a[aria-current]').allInnerTexts()).toEqual(['Your tags']);
    await detail().getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit tag' });
    await dialog.getByLabel('Title').fill('Walks at night');
    expect(await inspectPage(page, 'tag-edit', 'each')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await detail().getByText('Walks at night').waitFor();
    await detail().getByRole('link', { name: 'Your tags' }).click();
    await detail().getByRole('button', { name: 'New tag' }).click();
    await page.getByRole('dialog', { name: 'New tag' }).getByLabel('Tag name').fill('lamps');
    await page.getByRole('button', { name: 'Create tag' }).click();
    await detail().getByRole('link', { name: '*lamps' }).waitFor();
    expect((await focusedElement(page)).name).toBe('New tag');
  });

  it('shows the marked row of You, however far down the list it is', async () => {
    await open('settings/handles');
    await title('Other accounts').waitFor();
    const row = await list('You').getByRole('link', { name: 'Other accounts' }).boundingBox();
    expect((row?.y ?? Infinity) + (row?.height ?? 0)).toBeLessThanOrEqual(sizes.desk.height);
  });

  /** A section of the navigation that is marked as current. */
  const currentAreas = () => page.getByRole('navigation', { name: 'Main' }).locator('a[aria-current]').allInnerTexts();

  it('shows what a notification is about beside Activity, also after a reload', async () => {
    await open('notifications');
    await title('Activity').waitFor();
    await detail().getByRole('heading', { name: 'Nothing selected' }).waitFor();
    expect(await inspectPage(page, 'activity')).toEqual([]);
    await list('Activity')
      .getByRole('link', { name: /mentioned you$/ })
      .click();
    await title('Post by Ben Okafor').waitFor();
    expect((await list('Activity').locator('li a[aria-current]').allInnerTexts()).join()).toContain('mentioned you');
    expect((await currentAreas()).join()).toMatch(/^Activity/);
    expect(await inspectPage(page, 'activity-post')).toEqual([]);
    // The arrow keys lead from one to the next, whichever section its page is in.
    await page.keyboard.press('Tab');
    await list('Activity')
      .getByRole('link', { name: /mentioned you$/ })
      .focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await title('Sunday walkers').waitFor();
    expect((await currentAreas()).join()).toMatch(/^Activity/);
    await list('Activity')
      .getByRole('link', { name: /started following/ })
      .click();
    await title('*nightwalks').waitFor();
    await page.reload();
    await title('*nightwalks').waitFor();
    await list('Activity')
      .getByRole('link', { name: /mentioned you$/ })
      .waitFor();
    await page.goBack();
    await title('Sunday walkers').waitFor();
    await page.goBack();
    await page.goBack();
    await title('Activity').waitFor();
    // A group that was opened elsewhere is beside the groups.
    await open(`groups/${sample.group_id}`);
    await title('Sunday walkers').waitFor();
    await list().getByRole('link', { name: 'Sunday walkers' }).waitFor();
  });

  it('opens a result beside the search, and closes it when the query is changed', async () => {
    await open('search');
    await detail().getByRole('heading', { name: 'Find people and tags' }).waitFor();
    const field = page.getByLabel('Search people and tags');
    await field.fill('jaz');
    await list('Search').getByRole('link', { name: '*jazz' }).waitFor();
    expect(await inspectPage(page, 'search-panes')).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await title('*jazz').waitFor();
    expect(await currentAreas()).toEqual(['Search']);
    expect(await inspectPage(page, 'search-tag')).toEqual([]);
    // What is opened from the result, and a reload, keep the search and its query.
    await detail().getByRole('link', { name: 'Ben Okafor' }).first().click();
    await title('Ben Okafor').waitFor();
    await page.reload();
    await title('Ben Okafor').waitFor();
    expect(await field.inputValue()).toBe('jaz');
    await page.goBack();
    await title('*jazz').waitFor();
    await field.click();
    await field.press('End');
    await page.keyboard.type('z');
    await title('Search').waitFor();
    expect(page.url()).toContain('q=jazz');
    expect((await focusedElement(page)).name).toBe('Search people and tags');
    expect(await field.inputValue()).toBe('jazz');
    await page.goBack();
    await title('*jazz').waitFor();
    expect(await field.inputValue()).toBe('jaz');
  });

  it('finds chats and contacts by their names as well', async () => {
    await open('search');
    await page.getByLabel('Search people and tags').fill('bea');
    await list('Search').getByRole('link', { name: 'Bea Lindqvist' }).waitFor();
    expect(await inspectPage(page, 'search-people')).toEqual([]);
    expect(await list('Search').getByText('No results').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await title('Bea Lindqvist').waitFor();
    expect(await currentAreas()).toEqual(['Search']);
    expect((await list('Search').locator('li a[aria-current]').allInnerTexts()).join()).toContain('Bea Lindqvist');
    await page.reload();
    await title('Bea Lindqvist').waitFor();
    await list('Search').getByRole('link', { name: 'Bea Lindqvist' }).waitFor();
  });

  it('opens a post beside the feed or the posts of its tag, where it is pressed', async () => {
    await open('');
    await page.getByText('The last light over the ridge').click();
    await title('Post by Dara Lind').waitFor();
    await list('Home').getByText('We start at eight').waitFor();
    expect(await currentAreas()).toEqual(['Home']);
    expect(await inspectPage(page, 'feed-post')).toEqual([]);
    const openPost = () => list('Home').locator('li:has(.quiet-link[aria-current])').innerText();
    expect(await openPost()).toContain('The last light');
    await list('Home').getByText('We start at eight').click();
    await title('Post by Ben Okafor').waitFor();
    expect(await openPost()).toContain('We start at eight');
    // Its controls do what they do elsewhere.
    await list('Home').getByRole('button', { name: 'Reply', exact: true }).click();
    await list('Home').getByRole('textbox', { name: 'Reply to Dara Lind' }).click();
    await title('Post by Ben Okafor').waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { name: /^Good /, level: 1 }).waitFor();
    await open('t/jazz');
    await page.getByText('We start at eight').click();
    await title('Post by Ben Okafor').waitFor();
    await list('*jazz').getByText('We start at eight').waitFor();
    await page.reload();
    await list('*jazz').getByRole('link', { name: 'Back to *jazz' }).click();
    await title('*jazz').waitFor();
    // A post that was opened by its address is beside the feed.
    await open(`status/${sample.post_id}`);
    await title('Post by Ben Okafor').waitFor();
    await list('Home').getByText('The last light over the ridge').waitFor();
  });

  it('returns to the same place of the feed, and of the notifications', async () => {
    await page.setViewportSize({ width: 1280, height: 420 });
    await open('');
    await page.getByText('The last light over the ridge').waitFor();
    await networkQuiet(page);
    const scrolled = () => page.evaluate('Math.round(scrollY)') as Promise<number>;
    await page.evaluate('scrollTo(0, 240)');
    const before = await scrolled();
    expect(before).toBeGreaterThan(200);
    await page.getByText('The last light over the ridge').click();
    await title('Post by Dara Lind').waitFor();
    expect(await scrolled()).toBe(0);
    // The post is in view in its list.
    const isInView = () =>
      page.evaluate(`(() => {
      const { top, bottom } = document.querySelector('.post-list li:has(.quiet-link[aria-current])').getBoundingClientRect();
      return top < innerHeight && bottom > 0;
    })()`) as Promise<boolean>;
    await poll(isInView, 'the open post in its list');
    await page.goBack();
    await page.getByRole('heading', { name: /^Good /, level: 1 }).waitFor();
    await poll(async () => (await scrolled()) === before, 'the same place of the feed');
    // On a phone the list is a page of its own.
    await page.setViewportSize({ width: 390, height: 300 });
    await open('notifications');
    await page.getByRole('link', { name: /started following/ }).waitFor();
    await page.evaluate('scrollTo(0, 60)');
    const in_list = await scrolled();
    expect(in_list).toBeGreaterThan(20);
    // A press by the pointer would scroll to the link first.
    await page.getByRole('link', { name: /started following/ }).dispatchEvent('click');
    await title('*nightwalks').waitFor();
    await page.goBack();
    await title('Activity').waitFor();
    await poll(async () => (await scrolled()) === in_list, 'the same place of the list');
  });

  it('opens what happened as a page on a phone, with an arrow back', async () => {
    await page.setViewportSize(sizes.phone);
    await open('notifications');
    await title('Activity').waitFor();
    await page.getByRole('link', { name: /mentioned you$/ }).click();
    await title('Post by Ben Okafor').waitFor();
    expect(await list('Activity').isVisible()).toBe(false);
    expect(await inspectPage(page, 'activity-post-phone', 'each')).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).click();
    await title('Activity').waitFor();
    await open('search?q=jazz');
    await page.getByRole('link', { name: '*jazz' }).click();
    await title('*jazz').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    expect(await page.getByLabel('Search people and tags').inputValue()).toBe('jazz');
  });
});
