/** An unanswered call in two windows: missed, answered by a videomail, played; and the favourites. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  useBrowserWindows,
  createTag,
  openTwoPeople,
  missing_browser,
  sessionOf,
  sizes,
  visit,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_browser, 'the inbox in a browser', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    await createTag(ada, 'evenings');
  });

  const as = async (page: Page, route: string, fields?: object) =>
    requestAs(service, await sessionOf(page), route, fields);
  /** Calls somebody, who does not answer. */
  async function callInVain(page: Page, callee: object): Promise<void> {
    await as(page, 'POST /calls', { to: [callee] });
    await as(page, 'DELETE /calls/active');
  }

  it('adds contacts, and calls all favourites', async () => {
    await visit(ada, `${service.url}/app/contacts`);
    await ada.getByRole('button', { name: 'Add' }).click();
    await ada.getByLabel('Name').fill('Gran');
    await ada.getByLabel('Phone number', { exact: true }).fill('12');
    await ada.getByRole('button', { name: 'Add contact' }).click();
    await ada.getByText(/^Phone number is not valid: write it as you dial it/).waitFor();
    await ada.getByLabel('Phone number', { exact: true }).fill('+49 30 12345678');
    await ada.getByRole('button', { name: 'Add contact' }).click();
    await ada.getByText('+49 30 12345678').waitFor();
    expect(await inspectPage(ada, 'contacts')).toEqual([]);
    await ada.getByRole('link', { name: /^Gran/ }).click();
    await ada.getByRole('button', { name: 'Favourite' }).click();
    await ada.getByRole('button', { name: 'Favourite', pressed: true }).waitFor();
    await ada.goBack();
    await ada.getByRole('link', { name: /^Gran.*Favourite$/ }).waitFor();
    await visit(ada, `${service.url}/app/grid`);
    await ada.getByText('Gran', { exact: true }).waitFor();
    expect(await inspectPage(ada, 'grid')).toEqual([]);
    await ada.getByRole('button', { name: 'Call everyone' }).click();
    await ada.waitForURL(/\/app\/call\//);
    await visit(ada, `${service.url}/app/grid`);
    // The open call says it, too.
    const favourites = ada.getByRole('list', { name: 'Favourites' });
    await favourites.getByText('Ringing…').waitFor();
    const legs = (await (await fetch(`${service.url}/console/phone/legs`)).json()) as { items: { leg_id: string }[] };
    await fetch(`${service.url}/console/phone/legs/${legs.items[0]?.leg_id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'busy' }),
    });
    await favourites.getByText('Busy').waitFor();
    await ada.getByRole('button', { name: 'Call again: Gran' }).click();
    await favourites.getByText('Ringing…').waitFor();
    await ada.getByRole('button', { name: 'End call' }).click();
    await ada.getByRole('button', { name: 'Call everyone' }).waitFor();
  });

  it('shows a missed call at once, and sends a videomail as the reply', async () => {
    for (const { id } of (await as(ada, 'GET /inbox')).items) await as(ada, `DELETE /inbox/${id}`);
    await visit(ben, `${service.url}/app/t/evenings`);
    await visit(ada, `${service.url}/app/inbox`);
    await ada.getByText('Nothing missed').waitFor();
    await ben.getByRole('button', { name: /^Call/ }).first().click();
    await ben.waitForURL(/\/app\/call\//);
    await ada.getByRole('button', { name: /^Decline/ }).waitFor();
    await ben
      .getByRole('button', { name: /^(Leave|Hang up|End)/ })
      .first()
      .click();
    await ada.getByText('ben called you (not read)').waitFor();
    await ada.getByRole('link', { name: 'Inbox 1 not read' }).waitFor();
    expect(await inspectPage(ada, 'inbox')).toEqual([]);
    // On a phone as well, the answers are in one line, and the icons above them, beside the sentence.
    await ada.setViewportSize(sizes.phone);
    const boxOf = async (role: 'button' | 'link', name: RegExp) =>
      (await ada.getByRole(role, { name }).first().boundingBox()) ?? { y: NaN, height: NaN };
    const [call, reply] = [await boxOf('button', /^Call back/), await boxOf('link', /^Reply/)];
    const mark = await boxOf('button', /^Mark as read/);
    expect(reply.y).toBe(call.y);
    expect(mark.y + mark.height).toBeLessThanOrEqual(call.y);
    await ada.setViewportSize(sizes.desk);
    await ada.getByRole('link', { name: /^Reply/ }).click();
    await ada.getByRole('button', { name: 'Video' }).click();
    await ada.getByRole('button', { name: 'Record' }).click();
    await ada.getByText('Recording, 0:02').waitFor();
    await ada.getByRole('button', { name: 'Stop' }).click();
    await ada.getByLabel('Add a message').fill('sorry, I was out');
    expect(await inspectPage(ada, 'videomail')).toEqual([]);
    await ada.getByRole('button', { name: 'Send' }).click();
    await visit(ben, `${service.url}/app/inbox`);
    await ben.getByText('ada sent you a videomail (not read)').waitFor();
    await ben.getByText('sorry, I was out').waitFor();
    const videomail = ben.getByLabel(/sent you a videomail/).first();
    await videomail.evaluate((element) => (element as unknown as { play(): Promise<void> }).play());
    await ben.waitForFunction(() => {
      const element = (globalThis as any).document.querySelector('video'); // oxlint-disable-line typescript/no-explicit-any -- runs in the page
      return element.currentTime > 0.5 && element.videoWidth > 0;
    });
    // A played message is read.
    await ben.getByRole('button', { name: /^Mark as unread/ }).waitFor();
    expect(await inspectPage(ben, 'inbox-film')).toEqual([]);
  });

  it('lists the calls of both', async () => {
    await callInVain(ben, { tag: 'evenings' });
    const { id: contact_id } = await as(ada, 'POST /contacts', {
      name: 'Nana',
      phones: [{ number: '+49 30 12345679' }],
    });
    await callInVain(ada, { contact_id });
    await visit(ben, `${service.url}/app/calls`);
    await ben
      .getByText(/Outgoing · No answer/)
      .first()
      .waitFor();
    expect(await inspectPage(ben, 'history')).toEqual([]);
    await visit(ada, `${service.url}/app/calls`);
    await ada.getByRole('button', { name: 'New room' }).click();
    await ada.waitForURL(/\/app\/call\//);
    await ada.getByRole('button', { name: 'Leave', exact: true }).click();
    await visit(ada, `${service.url}/app/calls`);
    await ada.getByText(/Outgoing · No one joined · /).waitFor();
    await ada
      .getByText(/Incoming · Missed/)
      .first()
      .waitFor();
    await ada.getByText('Nana', { exact: true }).first().waitFor();
  });
});
