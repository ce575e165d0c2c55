/**
 * Events that are moved and resized in the calendar: by mouse, by keyboard, one occurrence of a series or all, each
 * with undo.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { focusedElement, inspectPage } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, networkQuiet, signUp, visit } from '../../browser/windows.ts';

/** The height of an hour in a week, in CSS pixels. */
const hour_px = 52;

describeUnlessMissing(missing_browser, 'moving events', () => {
  let service: Service;
  let ada: Page;
  let as_ada: { token: string };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    [service, ada] = await Promise.all([windows.startService(), windows.open()]);
    const session = await ada.context().newCDPSession(ada);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
    await signUp(service, ada, 'ada', '+14155550101');
    as_ada = { token: String(await ada.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)) };
  });

  const create = async (title: string, starts_at: string, ends_at: string, more: object = {}): Promise<string> =>
    (await requestAs(service, as_ada, 'POST /calendar/events', { title, starts_at, ends_at, timezone: 'UTC', ...more }))
      .id;
  const spanOf = async (id: string): Promise<string[]> => {
    const { starts_at, ends_at } = await requestAs(service, as_ada, `GET /calendar/events/${id}`);
    return [starts_at, ends_at];
  };
  /** The start times of all events with a title in March 2027. */
  const timesOf = async (title: string): Promise<string[]> => {
    const { items } = await requestAs(
      service,
      as_ada,
      'GET /calendar/events?from=2027-03-01T00:00:00Z&to=2027-04-01T00:00:00Z&limit=100',
    );
    return items
      .filter((event: { title: string }) => event.title === title)
      .flatMap(({ occurrences }: { occurrences: { starts_at: string }[] }) =>
        occurrences.map(({ starts_at }) => starts_at),
      )
      .toSorted();
  };
  const open = async (view: string, day: string) => {
    await visit(ada, `${service.url}/app/calendar?view=${view}&day=${day}`);
    await ada.getByRole('heading', { level: 1, name: /Mar/ }).waitFor();
  };
  const slot = (title: string): Locator => ada.locator('.cal-slot:not(.cal-ghost)', { hasText: title });
  const toast = (text: RegExp) => ada.getByRole('status').getByText(text);
  const undo = () => ada.getByRole('button', { name: 'Undo' }).click();
  const drag = async (from: Locator, by: { x: number; y: number }, at: 'middle' | 'end' = 'middle') => {
    // The previous move is complete once the calendar has fetched and shown the result.
    await ada.locator('.cal-ghost').first().waitFor({ state: 'detached' });
    await networkQuiet(ada);
    await from.hover({ trial: true });
    const box = (await from.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [box.x + box.width / 2, box.y + (at === 'end' ? box.height - 3 : box.height / 2)];
    await ada.mouse.move(x, y);
    await ada.mouse.down();
    await ada.mouse.move(x + by.x / 2, y + by.y / 2, { steps: 4 });
    await ada.mouse.move(x + by.x, y + by.y, { steps: 4 });
  };

  it('moves an event to another day and hour of a week, and back by undo', async () => {
    const id = await create('Rehearsal', '2027-03-03T09:00:00Z', '2027-03-03T10:30:00Z');
    await open('week', '2027-03-03');
    const column = (await ada.locator('.cal-column').first().boundingBox())?.width ?? 0;
    await drag(slot('Rehearsal'), { x: column, y: hour_px * 1.5 });
    await ada.getByText('Thu, Mar 4, 10:30 AM to 12:00 PM').waitFor();
    expect(await inspectPage(ada, 'calendar-moving', 'each')).toEqual([]);
    await ada.mouse.up();
    await toast(/^Moved “Rehearsal” to Thu, Mar 4, 10:30 AM to 12:00 PM\.$/).waitFor();
    expect(await spanOf(id)).toEqual(['2027-03-04T10:30:00Z', '2027-03-04T12:00:00Z']);
    expect(ada.url()).toContain('/calendar?');
    await undo();
    await expect.poll(() => spanOf(id)).toEqual(['2027-03-03T09:00:00Z', '2027-03-03T10:30:00Z']);
  });

  it('resizes an event by its lower edge, and Escape cancels a drag', async () => {
    const id = await create('Tuning', '2027-03-05T09:00:00Z', '2027-03-05T10:00:00Z');
    await open('week', '2027-03-03');
    await drag(slot('Tuning'), { x: 0, y: hour_px }, 'end');
    await ada.mouse.up();
    await toast(/^Moved “Tuning” to/).waitFor();
    expect(await spanOf(id)).toEqual(['2027-03-05T09:00:00Z', '2027-03-05T11:00:00Z']);
    await drag(slot('Tuning'), { x: 0, y: hour_px * 2 });
    await ada.locator('.cal-ghost').waitFor();
    await ada.keyboard.press('Escape');
    await ada.locator('.cal-ghost').waitFor({ state: 'detached' });
    await ada.mouse.up();
    expect(ada.url()).toContain('/calendar?');
    expect(await spanOf(id)).toEqual(['2027-03-05T09:00:00Z', '2027-03-05T11:00:00Z']);
  });

  it('moves an event by keyboard, keeps the focus, and announces the new time', async () => {
    const id = await create('Practice', '2027-03-01T09:00:00Z', '2027-03-01T10:00:00Z');
    await open('week', '2027-03-03');
    await slot('Practice').focus();
    await ada.keyboard.press('Shift+ArrowRight');
    await ada.keyboard.press('Shift+ArrowDown');
    await ada.keyboard.press('Control+Shift+ArrowDown');
    await ada.getByRole('status').getByText('Tue, Mar 2, 9:15 AM to 10:30 AM').waitFor();
    await ada.keyboard.press('Escape');
    await ada.locator('.cal-ghost').waitFor({ state: 'detached' });
    await ada.keyboard.press('Shift+ArrowRight');
    await ada.keyboard.press('Shift+ArrowUp');
    await ada.keyboard.press('Enter');
    await toast(/^Moved “Practice” to Tue, Mar 2, 8:45 AM/).waitFor();
    expect(await spanOf(id)).toEqual(['2027-03-02T08:45:00Z', '2027-03-02T09:45:00Z']);
    await expect.poll(async () => (await focusedElement(ada)).name).toMatch(/^Practice/);
  });

  it('moves an event to another day of a month', async () => {
    const id = await create('Market', '2027-03-10T07:00:00Z', '2027-03-10T08:00:00Z');
    const whole = await create('Fast', '2027-03-10', '2027-03-12', { all_day: true });
    await open('month', '2027-03-03');
    const cell = await ada.locator('[data-day="2027-03-10"]').boundingBox();
    const chip = (title: string) => ada.locator('[data-day="2027-03-10"] .cal-ev', { hasText: title });
    await drag(chip('Market'), { x: 0, y: cell?.height ?? 0 });
    await ada.mouse.up();
    await toast(/^Moved “Market” to Wed, Mar 17/).waitFor();
    expect(await spanOf(id)).toEqual(['2027-03-17T07:00:00Z', '2027-03-17T08:00:00Z']);
    await drag(chip('Fast'), { x: -(cell?.width ?? 0), y: 0 });
    await ada.mouse.up();
    await toast(/^Moved “Fast” to Tue, Mar 9 to Wed, Mar 10\.$/).waitFor();
    expect(await spanOf(whole)).toEqual(['2027-03-09', '2027-03-11']);
  });

  it('asks which occurrences of a series to move', async () => {
    const more = { rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=4', exdates: ['2027-03-16T11:00:00Z'] };
    await create('Choir', '2027-03-02T11:00:00Z', '2027-03-02T12:00:00Z', more);
    await open('week', '2027-03-09');
    const column = (await ada.locator('.cal-column').first().boundingBox())?.width ?? 0;
    const answer = (name: string) => ada.getByRole('dialog').getByRole('button', { name }).click();
    await drag(slot('Choir'), { x: column, y: 0 });
    await ada.mouse.up();
    await ada.getByRole('dialog').waitFor();
    expect(await inspectPage(ada, 'calendar-which', 'each')).toEqual([]);
    await answer('This time');
    await toast(/^Moved “Choir” to Wed, Mar 10/).waitFor();
    const [first, last] = ['2027-03-02T11:00:00Z', '2027-03-23T11:00:00Z'];
    expect(await timesOf('Choir')).toEqual([first, '2027-03-10T11:00:00Z', last]);
    await undo();
    await expect.poll(() => timesOf('Choir')).toEqual([first, '2027-03-09T11:00:00Z', last]);

    await expect.poll(() => slot('Choir').count()).toBe(1);
    await drag(slot('Choir'), { x: column, y: 0 });
    await ada.mouse.up();
    await answer('Every time');
    await toast(/^Moved “Choir” to Wed, Mar 10/).waitFor();
    // Excluded occurrences remain excluded.
    const moved = ['2027-03-03T11:00:00Z', '2027-03-10T11:00:00Z', '2027-03-24T11:00:00Z'];
    expect(await timesOf('Choir')).toEqual(moved);

    await drag(slot('Choir'), { x: 0, y: hour_px });
    await ada.mouse.up();
    await answer('This and all following');
    await toast(/^Moved “Choir” to Wed, Mar 10, 12:00 PM/).waitFor();
    expect(await timesOf('Choir')).toEqual([moved[0], '2027-03-10T12:00:00Z', '2027-03-24T12:00:00Z']);
    await undo();
    await expect.poll(() => timesOf('Choir')).toEqual(moved);
    await expect.poll(() => slot('Choir').count()).toBe(1);
    await drag(slot('Choir'), { x: 0, y: hour_px });
    await ada.mouse.up();
    await answer('Cancel');
    await ada.locator('.cal-ghost').waitFor({ state: 'detached' });
    expect(await timesOf('Choir')).toEqual(moved);
  });
});
