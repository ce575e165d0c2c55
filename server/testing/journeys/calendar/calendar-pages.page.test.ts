/** The calendar in two windows, on a desktop and on a phone: create, draw, repeat, change, share, join, subscribe. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { focusedElement, inspectPage } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import {
  clearCachedData,
  missing_browser,
  openTwoPeople,
  sessionOf,
  useBrowserWindows,
  visit,
} from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'the calendar in two browsers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
  });
  // Each test begins with empty calendars.
  beforeEach(async () => {
    for (const page of [ada, ben]) {
      for (const { id } of (await as(page, 'GET /calendar/events')).items)
        await as(page, `DELETE /calendar/events/${id}`);
      await clearCachedData(page, service);
    }
  });

  const as = async (page: Page, route: string, fields?: object) =>
    requestAs(service, await sessionOf(page), route, fields);
  /** Creates an event of ada. @param from in the time zone of the machine, which is that of the window, as is `to` */
  const create = (title: string, from: string, to: string, rrule?: string) =>
    as(ada, 'POST /calendar/events', {
      title,
      starts_at: new Date(from).toISOString(),
      ends_at: new Date(to).toISOString(),
      timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(rrule && { rrule }),
    });
  const createRehearsals = () =>
    create('Rehearsal', '2027-03-02T19:00', '2027-03-02T20:00', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=4');
  const open = async (page: Page, path = '') => {
    await visit(page, `${service.url}/app/calendar${path}`);
    await page
      .getByRole('region', { name: 'Agenda' })
      .or(page.getByRole('region', { name: 'Week' }))
      .first()
      .waitFor();
  };
  const sheet = (page: Page) => page.getByRole('dialog');
  const choose = async (page: Page, label: string, option: string) => {
    await sheet(page).getByRole('combobox', { name: label }).selectOption({ label: option });
  };
  /** Nodes that the page has created and the browser retains, in its document or not. */
  const countNodes = async (page: Page): Promise<number> => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const { metrics } = await devtools.send('Performance.getMetrics');
    await devtools.detach();
    return metrics.find(({ name }) => name === 'Nodes')?.value ?? Number.POSITIVE_INFINITY;
  };
  const agenda = (page: Page) => page.getByRole('region', { name: 'Agenda' });

  it('is empty at first, and creates an event by a keyboard shortcut', async () => {
    await open(ada);
    await ada.getByRole('heading', { name: 'Nothing planned here' }).waitFor();
    expect(await inspectPage(ada, 'calendar-empty', 'each')).toEqual([]);
    const nodes_before = await countNodes(ada);
    await ada.keyboard.press('n');
    await expect.poll(async () => (await focusedElement(ada)).name).toBe('Title');
    // With every time zone, whose nodes are not created again for each of the other lists.
    expect((await countNodes(ada)) - nodes_before).toBeLessThan(10_000);
    await ada.keyboard.type('Rehearsal');
    await sheet(ada).getByLabel('Starts').fill('2027-03-02');
    await sheet(ada).getByLabel('Start time').fill('19:00');
    await choose(ada, 'Repeats', 'Every second Tuesday');
    await sheet(ada).getByText('Every second Tuesday').last().waitFor();
    await choose(ada, 'Ends', 'After a number of times');
    await sheet(ada).getByRole('spinbutton', { name: 'Times' }).fill('4');
    expect(await inspectPage(ada, 'calendar-form')).toEqual([]);
    await sheet(ada).getByRole('button', { name: 'Create event' }).click();
    await ada.getByText('“Rehearsal” is in your calendar.').waitFor();
    await open(ada, '?day=2027-03-02');
    await agenda(ada)
      .getByRole('link', { name: /Rehearsal/ })
      .first()
      .waitFor();
    expect(
      await agenda(ada)
        .getByRole('link', { name: /Rehearsal/ })
        .count(),
    ).toBe(1);
    expect(await ada.getByRole('button', { name: /March 16, 1 event$/ }).count()).toBe(1);
  });

  it('moves between days by the arrow keys, and jumps to today', async () => {
    await createRehearsals();
    await open(ada, '?day=2027-03-02');
    await ada.getByRole('button', { name: /March 2, 1 event$/ }).focus();
    await ada.keyboard.press('ArrowRight');
    await ada.keyboard.press('ArrowDown');
    await expect.poll(async () => (await focusedElement(ada)).name).toMatch(/March 10, no events$/);
    expect(ada.url()).toContain('day=2027-03-10');
    await ada.keyboard.press('t');
    await expect.poll(async () => (await focusedElement(ada)).name).not.toMatch(/March 10/);
    await ada.locator('.cal-day[aria-current="date"][aria-pressed="true"]').waitFor();
  });

  it('creates an event that is drawn into a week', async () => {
    await open(ada, '?view=week&day=2027-03-03');
    const column = ada.locator('.cal-column').nth(3);
    await column.scrollIntoViewIfNeeded();
    const hours = ada.getByRole('group', { name: 'Hours of these days' });
    await hours.evaluate((element) => ((element as unknown as { scrollTop: number }).scrollTop = 0));
    const box = await column.boundingBox();
    const head = await hours.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 20, head?.y ?? 0];
    await ada.mouse.move(x, y + 52 * 2);
    await ada.mouse.down();
    await ada.mouse.move(x, y + 52 * 3, { steps: 4 });
    await ada.mouse.move(x, y + 52 * 3.5, { steps: 4 });
    await ada.mouse.up();
    expect(await sheet(ada).getByLabel('Start time').inputValue()).toBe('02:00');
    expect(await sheet(ada).getByLabel('End time').inputValue()).toBe('03:30');
    await sheet(ada).getByLabel('Title').fill('Night train');
    await sheet(ada).getByRole('button', { name: 'Create event' }).click();
    await ada.locator('.cal-slot', { hasText: 'Night train' }).waitFor();
    expect(await inspectPage(ada, 'calendar-week')).toEqual([]);
  });

  it('changes one occurrence of a series, then all following ones, and deletes one', async () => {
    await createRehearsals();
    await create('Night train', '2027-03-03T02:00', '2027-03-03T03:30');
    await open(ada, '?day=2027-03-16');
    await agenda(ada)
      .getByRole('link', { name: /Rehearsal/ })
      .first()
      .click();
    await ada.getByText(/^Every second Tuesday/).waitFor();
    await ada.getByRole('button', { name: 'Edit' }).click();
    await sheet(ada).getByLabel('Title').fill('Rehearsal in the church');
    await sheet(ada).getByRole('button', { name: 'Save' }).click();
    await ada.getByRole('heading', { name: 'Rehearsal in the church', level: 1 }).waitFor();
    await open(ada, '?day=2027-03-30');
    await agenda(ada)
      .getByRole('link', { name: /Rehearsal/ })
      .first()
      .click();
    await ada.getByRole('button', { name: 'Edit' }).click();
    await choose(ada, 'Change', 'This and all following');
    await sheet(ada).getByLabel('Title').fill('Concert practice');
    await sheet(ada).getByRole('button', { name: 'Save' }).click();
    await ada.getByRole('heading', { name: 'Concert practice', level: 1 }).waitFor();
    await ada.getByText('Every second Tuesday, 2 times').waitFor();
    await open(ada, '?view=agenda&day=2027-03-01');
    await expect
      .poll(() => agenda(ada).locator('b').allInnerTexts())
      .toEqual(['Rehearsal', 'Night train', 'Rehearsal in the church', 'Concert practice', 'Concert practice']);
    expect(await inspectPage(ada, 'calendar-agenda')).toEqual([]);

    await agenda(ada)
      .getByRole('link', { name: /Concert practice/ })
      .first()
      .click();
    await ada.getByRole('button', { name: 'Delete' }).click();
    await ada.getByRole('menuitem', { name: 'This time' }).click();
    await ada.getByText('“Concert practice” is deleted.').waitFor();
    await open(ada, '?view=agenda&day=2027-03-29');
    await expect.poll(() => agenda(ada).locator('b').allInnerTexts()).toEqual(['Concert practice']);
  });

  it('shares an event with a person, who sees it at once, and by a link', async () => {
    await as(ben, 'POST /xtags', { name: 'bass' });
    await createRehearsals();
    await open(ben, '?day=2027-03-02');
    await open(ada, '?day=2027-03-02');
    await agenda(ada)
      .getByRole('link', { name: /Rehearsal/ })
      .first()
      .click();
    await ada.getByRole('button', { name: 'Share' }).click();
    await sheet(ada).getByRole('searchbox', { name: 'Add people' }).fill('*bass');
    await sheet(ada).getByRole('button', { name: 'Share with ben' }).click();
    await sheet(ada).getByRole('button', { name: 'Stop sharing with ben' }).waitFor();
    await agenda(ben)
      .getByRole('link', { name: /Rehearsal/ })
      .click();
    await ben.getByText('ada shares it with you').waitFor();
    expect(await ben.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    expect(await inspectPage(ada, 'calendar-share', 'each')).toEqual([]);

    await sheet(ada).getByRole('switch', { name: 'Anyone with the link' }).click();
    const link = sheet(ada).getByRole('link', { name: 'Download as a file' });
    const file = (await link.getAttribute('href')) ?? '';
    expect(await (await fetch(file)).text()).toContain('SUMMARY:Rehearsal');
    await sheet(ada).getByRole('switch', { name: 'Anyone with the link' }).click();
    await link.waitFor({ state: 'detached' });
    expect((await fetch(file)).status).toBe(410);
    await sheet(ada).getByRole('button', { name: 'Stop sharing with ben' }).click();
    await ben.getByRole('heading', { name: 'Event not found' }).waitFor();
    const only_you = sheet(ada).getByText('Only you can see it.');
    await only_you.waitFor();
    await sheet(ada).getByRole('switch', { name: 'Anyone with the link' }).click();
    await link.waitFor();
    expect(await only_you.count()).toBe(0);
  });

  it('opens the call of an event at its time', async () => {
    await open(ben);
    await ben.getByRole('button', { name: 'New event', exact: true }).first().click();
    await sheet(ben).getByLabel('Title').fill('Standup');
    const { date, from, to } = await ben.evaluate(() => {
      const pad = (number: number) => String(number).padStart(2, '0');
      const clock = (moment: Date) => `${pad(moment.getHours())}:${pad(moment.getMinutes())}`;
      const now = new Date();
      // It must end on the day on which it begins.
      const late = now.getHours() >= 22;
      const begin = new Date(now.getTime() - (late ? 20 : 0) * 60_000);
      const end = new Date(begin.getTime() + (late ? 15 : 60) * 60_000);
      const day = `${begin.getFullYear()}-${pad(begin.getMonth() + 1)}-${pad(begin.getDate())}`;
      return { date: day, from: clock(begin), to: clock(end) };
    });
    await sheet(ben).getByLabel('Starts').fill(date);
    await sheet(ben).getByLabel('Start time').fill(from);
    await sheet(ben).getByLabel('End time').fill(to);
    await sheet(ben).getByRole('switch', { name: 'Add a call' }).click();
    await sheet(ben).getByRole('button', { name: 'Create event' }).click();
    await agenda(ben)
      .getByRole('link', { name: /Standup/ })
      .first()
      .click();
    await ben.getByText('The call is open now.').waitFor();
    expect(await inspectPage(ben, 'calendar-event')).toEqual([]);
    await ben.getByRole('button', { name: 'Join' }).click();
    await ben.getByRole('heading', { name: 'Your call' }).waitFor();
  });

  it('creates a link for other calendars, revokes it, and creates another', async () => {
    await open(ada);
    await ada.getByRole('button', { name: 'Subscribe from another calendar' }).click();
    const url = await sheet(ada).getByLabel('Calendar link').inputValue();
    expect(await (await fetch(url)).text()).toContain('BEGIN:VCALENDAR');
    expect(await inspectPage(ada, 'calendar-feed', 'each')).toEqual([]);
    await sheet(ada).getByRole('button', { name: 'Stop sharing' }).click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click();
    await sheet(ada).getByRole('button', { name: 'Create a link' }).waitFor();
    expect((await fetch(url)).status).toBe(410);
    await sheet(ada).getByRole('button', { name: 'Create a link' }).click();
    await expect.poll(() => sheet(ada).getByLabel('Calendar link').inputValue()).not.toBe(url);
  });
});
