/** Events that are moved and resized by touch in the calendar of a phone, with touch events as Chromium sends them. */
import { beforeAll, expect, it } from 'vitest';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, signUp, visit } from '../../browser/windows.ts';

/** The height of an hour in a week, in CSS pixels. */
const hour_px = 52;

type Point = { x: number; y: number };

describeUnlessMissing(missing_browser, 'moving events by touch', () => {
  let service: Service;
  let ada: Page;
  let session: CDPSession;
  let as_ada: { token: string };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    [service, ada] = await Promise.all([windows.startService(), windows.open('phone', { has_touch: true })]);
    session = await ada.context().newCDPSession(ada);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' });
    await signUp(service, ada, 'ada', '+14155550101');
    as_ada = { token: String(await ada.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)) };
  });

  const create = async (title: string, starts_at: string, ends_at: string): Promise<string> =>
    (await requestAs(service, as_ada, 'POST /calendar/events', { title, starts_at, ends_at, timezone: 'UTC' })).id;
  const spanOf = async (id: string): Promise<string[]> => {
    const { starts_at, ends_at } = await requestAs(service, as_ada, `GET /calendar/events/${id}`);
    return [starts_at, ends_at];
  };
  const open = async (view: string, day: string) => {
    await visit(ada, `${service.url}/app/calendar?view=${view}&day=${day}`);
    await ada.getByRole('heading', { level: 1, name: /Mar/ }).waitFor();
  };
  const slot = (title: string): Locator => ada.locator('.cal-slot:not(.cal-ghost)', { hasText: title });
  const ghost = () => ada.locator('.cal-ghost').first();
  const toast = (text: RegExp) => ada.getByRole('status').getByText(text);
  const scrolled = async () => Number(await ada.evaluate('document.querySelector(".cal-hours").scrollTop'));

  /** A point on an event, once it is visible. */
  async function placeOn(title: string, at: 'middle' | 'end'): Promise<Point> {
    await ghost().waitFor({ state: 'detached' });
    await slot(title).scrollIntoViewIfNeeded();
    const box = (await slot(title).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { x: box.x + box.width / 2, y: box.y + (at === 'end' ? box.height - 3 : box.height / 2) };
  }
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  async function slide(from: Point, by: Point, steps = 8): Promise<void> {
    for (let step = 1; step <= steps; step++)
      await touch('touchMove', { x: from.x + (by.x * step) / steps, y: from.y + (by.y * step) / steps });
  }
  /** Long-presses until the event is lifted, and drags; the hours must not scroll. */
  async function drag(title: string, by: Point, at: 'middle' | 'end' = 'middle'): Promise<void> {
    const from = await placeOn(title, at);
    const before = await scrolled();
    await touch('touchStart', from);
    await ghost().waitFor();
    await slide(from, by);
    expect(await scrolled()).toBe(before);
  }

  it('moves an event to another day and hour after a long press', async () => {
    const id = await create('Rehearsal', '2027-03-03T09:00:00Z', '2027-03-03T10:30:00Z');
    await open('week', '2027-03-03');
    const column = (await ada.locator('.cal-column').first().boundingBox())?.width ?? 0;
    await drag('Rehearsal', { x: column, y: hour_px * 1.5 });
    await ada.getByText('Thu, Mar 4, 10:30 AM to 12:00 PM').waitFor();
    await touch('touchEnd');
    await toast(/^Moved “Rehearsal” to Thu, Mar 4, 10:30 AM to 12:00 PM\.$/).waitFor();
    expect(await spanOf(id)).toEqual(['2027-03-04T10:30:00Z', '2027-03-04T12:00:00Z']);
    expect(ada.url()).toContain('/calendar?');
  });

  it('resizes an event by its lower edge', async () => {
    const id = await create('Tuning', '2027-03-05T09:00:00Z', '2027-03-05T10:00:00Z');
    await open('week', '2027-03-03');
    await drag('Tuning', { x: 0, y: hour_px }, 'end');
    await touch('touchEnd');
    await toast(/^Moved “Tuning” to/).waitFor();
    expect(await spanOf(id)).toEqual(['2027-03-05T09:00:00Z', '2027-03-05T11:00:00Z']);
  });

  it('scrolls the hours when swiping over an event, which stays in place', async () => {
    const id = await create('Practice', '2027-03-04T13:00:00Z', '2027-03-04T15:00:00Z');
    await open('week', '2027-03-03');
    const from = await placeOn('Practice', 'middle');
    const before = await scrolled();
    await touch('touchStart', from);
    await slide(from, { x: 0, y: -hour_px * 3 });
    expect(await ghost().count()).toBe(0);
    await touch('touchEnd');
    await expect.poll(scrolled).toBeGreaterThan(before + hour_px);
    expect(await spanOf(id)).toEqual(['2027-03-04T13:00:00Z', '2027-03-04T15:00:00Z']);
    expect(ada.url()).toContain('/calendar?');
  });

  it('opens an event on a tap', async () => {
    const id = await create('Market', '2027-03-03T12:00:00Z', '2027-03-03T13:00:00Z');
    await open('week', '2027-03-03');
    const at = await placeOn('Market', 'middle');
    await touch('touchStart', at);
    await touch('touchEnd');
    await expect.poll(() => ada.url()).toContain(`/calendar/${id}`);
  });
});
