/** What is entered in a form and not saved: neither a reload, nor a ring that is accepted, nor the end of a session loses it. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { endSession, signInAgain } from '../../browser/ended-session.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { missing_browser, openTwoPeople, sessionOf, useBrowserWindows, visit } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'forms that are left in the middle', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'phone', ben: 'desk' }));
  });

  const restored = (page: Page) => page.getByRole('dialog').getByText('Your unsaved changes are back.');
  const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
  const button = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

  /** Opens the form of a new contact. */
  async function openContact(): Promise<void> {
    await ada.goto(`${service.url}/app/contacts`);
    await ada.getByRole('button', { name: 'Add', exact: true }).click();
    await field(ada, 'Name').waitFor();
  }

  it('have it again after a reload, until it is discarded', async () => {
    await openContact();
    await field(ada, 'Name').fill('Cora');
    await field(ada, 'Phone number').fill('+14155550199');
    await field(ada, 'Note').fill('Plays the oboe');
    await openContact();
    await restored(ada).waitFor();
    expect(await inspectPage(ada, 'contact-restored', 'each')).toEqual([]);
    expect(await field(ada, 'Phone number').inputValue()).toBe('+14155550199');
    // Closing what was only looked at loses nothing.
    await button(ada, 'Close').click();
    await openContact();
    expect(await field(ada, 'Note').inputValue()).toBe('Plays the oboe');
    await button(ada, 'Discard').click();
    await expect.poll(() => field(ada, 'Name').inputValue()).toBe('');
    expect(await restored(ada).count()).toBe(0);
    await openContact();
    expect(await restored(ada).count()).toBe(0);
  });

  it('have it again after the end of the session, until it is saved', async () => {
    await openContact();
    await field(ada, 'Name').fill('Dora');
    await endSession(service, ada);
    await signInAgain(service, ada, 'ada');
    await ada.waitForURL(`${service.url}/app/contacts`);
    await openContact();
    await restored(ada).waitFor();
    await button(ada, 'Add contact').click();
    await ada.getByRole('link', { name: /^Dora/ }).waitFor();
    await openContact();
    expect(await field(ada, 'Name').inputValue()).toBe('');
    expect(await restored(ada).count()).toBe(0);
  });

  it('have it again after a ring that was accepted', async () => {
    await visit(ben, `${service.url}/app/calendar?day=2027-03-04`);
    const openEvent = () => ben.getByRole('button', { name: 'New event', exact: true }).first().click();
    await openEvent();
    await field(ben, 'Title').fill('Rehearsal');
    await field(ben, 'Notes').fill('Bring the oboe');
    const { id } = await requestAs(service, await sessionOf(ben), 'GET /me');
    await requestAs(service, await sessionOf(ada), 'POST /calls', { to: [{ user_id: id }] });
    await ben.getByRole('button', { name: 'Accept', exact: true }).click();
    await ben.getByRole('button', { name: 'Leave', exact: true }).click();
    await visit(ben, `${service.url}/app/calendar`);
    await openEvent();
    await restored(ben).waitFor();
    expect(await inspectPage(ben, 'event-restored', 'each')).toEqual([]);
    expect(await field(ben, 'Notes').inputValue()).toBe('Bring the oboe');
    expect(await field(ben, 'Starts').inputValue()).toBe('2027-03-04');
    await button(ben, 'Create event').click();
    await ben.getByText('“Rehearsal” is in your calendar.').waitFor();
    await openEvent();
    expect(await field(ben, 'Title').inputValue()).toBe('');
    expect(await restored(ben).count()).toBe(0);
  });

  it('have it again beside what another device has changed meanwhile', async () => {
    const as = async (route: string, body?: object) => requestAs(service, await sessionOf(ben), route, body);
    const starts = (Math.floor(Date.now() / 60_000) + 1440) * 60_000;
    const at = (hours: number) => new Date(starts + hours * 3_600_000).toISOString();
    const times = { starts_at: at(0), ends_at: at(1), timezone: 'UTC' };
    const { id, revision } = await as('POST /calendar/events', { title: 'Concert', location: 'Pier', ...times });
    const edit = async () => {
      await ben.goto(`${service.url}/app/calendar/${id}`);
      await ben.getByRole('button', { name: 'Edit', exact: true }).click();
      await field(ben, 'Title').waitFor();
    };
    await edit();
    await field(ben, 'Title').fill('Evening concert');
    await as(`PATCH /calendar/events/${id}`, { location: 'Town hall', starts_at: at(2), ends_at: at(3), revision });
    await edit();
    await restored(ben).waitFor();
    expect(await field(ben, 'Title').inputValue()).toBe('Evening concert');
    expect(await field(ben, 'Place').inputValue()).toBe('Town hall');
    await button(ben, 'Save').click();
    await ben.getByRole('heading', { name: 'Evening concert' }).waitFor();
    const { title, location, starts_at } = await as(`GET /calendar/events/${id}`);
    expect([title, location, starts_at.slice(0, 16)]).toEqual(['Evening concert', 'Town hall', at(2).slice(0, 16)]);

    // A field that was not touched is what it is now, such as who may message.
    const profile = async () => {
      await ben.goto(`${service.url}/app/settings/profile`);
      await ben.getByLabel('Bio', { exact: true }).waitFor();
    };
    await profile();
    await ben.getByLabel('Bio', { exact: true }).fill('Plays the oboe');
    await as('PATCH /me', { reach: { message: 'none' } });
    await profile();
    await ben.getByText('Your unsaved changes are back.').waitFor();
    expect(await ben.getByLabel('Who may message you').inputValue()).toBe('none');
    await ben.getByRole('button', { name: 'Discard', exact: true }).click();
    await expect.poll(() => ben.getByLabel('Bio', { exact: true }).inputValue()).toBe('');
  });

  it('have it again in a profile, a tag and a group, until it is saved', async () => {
    const as = async (route: string, body: object) => requestAs(service, await sessionOf(ben), route, body);
    const { id: tag_id } = await as('POST /xtags', { name: 'evenings' });
    const { id: group_id } = await as('POST /groups', { name: 'The band' });
    const forms = [
      { path: 'settings/profile', label: 'Bio' },
      { path: `tags/${tag_id}`, label: 'Description', opener: 'Edit' },
      { path: `groups/${group_id}`, label: 'Description', opener: 'Edit' },
    ];
    const notice = ben.getByText('Your unsaved changes are back.');
    for (const { path, label, opener } of forms) {
      const open = async () => {
        await ben.goto(`${service.url}/app/${path}`);
        if (opener) await ben.getByRole('button', { name: opener, exact: true }).first().click();
        await ben.getByLabel(label, { exact: true }).waitFor();
      };
      await open();
      await ben.getByLabel(label, { exact: true }).fill(`Songs of ${path}`);
      await open();
      await notice.waitFor();
      expect(await inspectPage(ben, `restored-${label.toLowerCase()}`)).toEqual([]);
      expect(await ben.getByLabel(label, { exact: true }).inputValue()).toBe(`Songs of ${path}`);
      await ben.getByRole('button', { name: 'Save', exact: true }).click();
      await notice.waitFor({ state: 'detached' });
      await open();
      // What an earlier page has stored is shown until it is read again.
      await expect
        .poll(() => ben.getByLabel(label, { exact: true }).inputValue(), { message: path })
        .toBe(`Songs of ${path}`);
      expect(await notice.count()).toBe(0);
      // A dialog whose changes are discarded has none the next time.
      if (opener) {
        await ben.getByLabel(label, { exact: true }).fill('Something else');
        await button(ben, 'Close').click();
        await ben.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
        await open();
        expect(await notice.count()).toBe(0);
      }
    }
  });

  it('have it again in forms of a few words', async () => {
    const as = async (page: Page, route: string, body?: object) =>
      requestAs(service, await sessionOf(page), route, body);
    const { id: ada_id } = await as(ada, 'GET /me');
    await as(ada, 'POST /xtags', { name: 'choir', follow_policy: 'approval' });
    await as(ben, 'POST /statuses', { body: 'Rehearsal at eight' });
    const forms = [
      { path: `u/${ada_id}`, openers: ['More about ada', 'Report ada'], label: 'Anything to add', end: 'Send report' },
      { path: 'invites', openers: [], label: 'Personal message', end: 'Discard' },
      { path: 't/choir', openers: ['Ask to follow *choir'], label: 'Message to the owner', end: 'Ask' },
      { path: '', openers: ['More about this post by ben', 'Edit'], label: 'Your post', end: 'Save' },
      { path: 'widgets', openers: ['New widget'], label: 'Title', end: 'Discard' },
    ];
    const notice = ben.getByText('Your unsaved changes are back.');
    for (const { path, openers, label, end } of forms) {
      const entered = ben.getByLabel(label, { exact: true });
      const open = async () => {
        await ben.goto(`${service.url}/app/${path}`);
        for (const name of openers)
          await ben
            .getByRole('button', { name, exact: true })
            .or(ben.getByRole('menuitem', { name, exact: true }))
            .first()
            .click();
        await entered.waitFor();
      };
      await open();
      expect(await notice.count()).toBe(0);
      await entered.fill('We sing on Fridays');
      await open();
      await notice.waitFor();
      expect(await entered.inputValue()).toBe('We sing on Fridays');
      await ben.getByRole('button', { name: end, exact: true }).click();
      await notice.waitFor({ state: 'detached' });
    }
    await ben.goto(`${service.url}/app/`);
    await ben.getByText('We sing on Fridays').waitFor();
  });
});
