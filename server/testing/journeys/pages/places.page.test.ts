/** The map and location sharing, invites and their recipients, and widgets with their guests. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs, signUp as signUpByCalls, type RunningPerson } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  createTag,
  missing_browser,
  openTwoPeople,
  sessionOf,
  sizes,
  useBrowserWindows,
  visit,
  waitForHome,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

const berlin = { latitude: 52.52, longitude: 13.405 };
const in_an_hour = () => new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

describeUnlessMissing(missing_browser, 'the map, invites and widgets', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let olga: RunningPerson;
  let as_ada: { token: string };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    olga = await signUpByCalls(service, 'olga', '+14155550131');
    await createTag(ada, 'evenings');
    as_ada = await sessionOf(ada);
    // They have a thread, so that each can choose the other.
    const thread = await requestAs(service, as_ada, 'POST /dm/threads', { user_id: olga.id });
    await requestAs(service, as_ada, `POST /dm/threads/${thread.id}/chat`, { body: 'Hello' });
    await requestAs(service, olga, `POST /dm/threads/${thread.id}/accept`);
  });

  /** Opens the map of ada, who shares nothing, by its link. */
  async function openMap(): Promise<void> {
    await ada.goto(`${service.url}/app/`);
    await waitForHome(ada);
    await areaLink(ada, /^Map$/).click();
    await ada.getByRole('heading', { name: 'No one can see where you are' }).waitFor();
  }
  /** Lets the pages of ada know that they are at a place. */
  async function standAt(place: { latitude: number; longitude: number }): Promise<void> {
    await ada.context().grantPermissions(['geolocation'], { origin: service.url });
    await ada.context().setGeolocation({ ...place, accuracy: 10 });
  }

  it('lists live who shares their location with the reader, until they stop', async () => {
    // Where the browser permits it without being asked, the page shows the distance at once.
    await ada.context().clearPermissions();
    // The worker of the map runs if it requests tiles.
    const tile = ada.waitForResponse((answer) => answer.url().includes('/map/tiles/') && answer.ok());
    await openMap();
    await tile;
    await ada.getByText('No one right now').waitFor();
    expect(await inspectPage(ada, 'map-empty')).toEqual([]);
    // The panel scrolls by itself, and the map stays as high as the window.
    await ada.setViewportSize({ width: 1280, height: 600 });
    expect(await ada.evaluate('document.documentElement.scrollHeight')).toBe(600);
    expect(await ada.evaluate(`document.querySelector('.map-panel').scrollHeight`)).toBeGreaterThan(600);
    await ada.setViewportSize(sizes.desk);
    const me = await requestAs(service, as_ada, 'GET /me');
    await requestAs(service, olga, 'PATCH /location/settings', {
      mode: 'selected',
      people: [me.id],
      precision: 'approximate',
      expires_at: in_an_hour(),
    });
    await requestAs(service, olga, 'POST /location/report', { ...berlin, accuracy_m: 8, recorded_at: now() });
    const visible_people = await requestAs(service, as_ada, 'GET /location/people');
    expect(visible_people.items.map(({ user }: { user: { username: string } }) => user.username)).toEqual(['olga']);
    const row = ada.getByRole('button', { name: /^olga Seen just now\. Until / });
    await row.waitFor();
    await row.click();
    expect(await inspectPage(ada, 'map-people')).toEqual([]);
    // Potsdam: Berlin is in the northeast.
    await standAt({ latitude: 52.39, longitude: 13.06 });
    await ada.getByRole('button', { name: 'Show distance' }).click();
    await ada.getByRole('button', { name: /^olga About 2\d km northeast of you, just now\. Until / }).waitFor();
    await requestAs(service, olga, 'PATCH /location/settings', { mode: 'off' });
    await ada.getByText('No one right now').waitFor();
  });

  it('shares with chosen people, shows who sees what until when, and stops with one click', async () => {
    await standAt(berlin);
    await openMap();
    await ada.getByRole('button', { name: 'Share your location' }).click();
    await ada.getByLabel('olga').check();
    expect(await inspectPage(ada, 'map-share')).toEqual([]);
    await ada.getByRole('button', { name: 'Start sharing' }).click();
    await ada.getByRole('heading', { name: /^olga can see your approximate location until / }).waitFor();
    await expect
      .poll(async () => (await requestAs(service, olga, 'GET /location/people')).items[0]?.user.username, {
        timeout: 15_000,
      })
      .toBe('ada');
    await ada.getByRole('button', { name: 'Precise location' }).click();
    await ada.getByRole('heading', { name: /^olga can see your precise location until / }).waitFor();
    expect(await inspectPage(ada, 'map-sharing')).toEqual([]);
    await ada.getByRole('button', { name: 'Stop sharing' }).click();
    await ada.getByRole('heading', { name: 'No one can see where you are' }).waitFor();
    expect((await requestAs(service, olga, 'GET /location/people')).items).toEqual([]);
    await ada.reload();
    const views = ada.getByRole('region', { name: 'Who viewed it' }).getByRole('listitem');
    await views
      .filter({ hasText: 'olga' })
      .getByText(/^Viewed once/)
      .waitFor();
  });

  it('creates a live link that opens without an account, and revokes it', async () => {
    await standAt(berlin);
    await openMap();
    await ada.getByRole('button', { name: 'New link' }).click();
    await ada.getByRole('button', { name: 'Create link' }).click();
    await ada.getByText(/^Precise location, seen 0 times/).waitFor();
    const { items } = await requestAs(service, as_ada, 'GET /location/links');
    const token = String(items[0].url).split('/').at(-1);
    await expect.poll(async () => (await service.call(`GET /public-links/${token}`)).body.kind).toBe('location');
    await ada.getByRole('button', { name: /^Stop the link/ }).click();
    await ada.getByText('No active links.').waitFor();
    expect((await service.call(`GET /public-links/${token}`)).status).toBe(410);
  });

  it('invites by e-mail, and shows the inviter to the person who opens the link', async () => {
    await visit(ada, `${service.url}/app/invites`);
    await ada.getByText('No invites yet').waitFor();
    await ada.getByRole('img', { name: 'QR code of the link to *evenings' }).waitFor();
    expect(await inspectPage(ada, 'invites-empty')).toEqual([]);
    await ada.getByLabel('E-mail', { exact: true }).fill('carla@example.org');
    await ada.getByLabel('Personal message').fill('Come and sing');
    await ada.getByRole('button', { name: 'Invite', exact: true }).click();
    await ada.getByText(/^Sent on .*, valid until /).waitFor();
    expect(await inspectPage(ada, 'invites')).toEqual([]);
    await expect.poll(async () => (await service.caught('carla@example.org'))[0]?.links.length).toBe(1);
    const link = (await service.caught('carla@example.org'))[0]?.links[0] ?? '';
    const carla = await windows.open('phone');
    await carla.goto(link);
    await carla.getByText('ada invites you, and will be among your contacts.').waitFor();
    await carla.getByText('Come and sing').waitFor();
    expect(await inspectPage(carla, 'invited')).toEqual([]);
    await ada.getByRole('button', { name: 'Cancel the invite to carla@example.org' }).click();
    await ada.getByText('Cancelled', { exact: true }).waitFor();
    await carla.reload();
    await carla.getByText('This invite has ended.').waitFor();
  });

  it('creates a widget with a preview, and answers its guest in the list of chats', async () => {
    await visit(ada, `${service.url}/app/widgets`);
    await ada.getByRole('button', { name: 'Create a widget' }).click();
    await ada.getByLabel('Tag', { exact: true }).selectOption({ label: '*evenings' });
    const preview = ada.frameLocator('iframe[title="Preview"]');
    await preview.getByRole('heading', { name: 'evenings' }).waitFor();
    await ada.getByLabel('Title').fill('Ask the shop');
    // The frame of a page, with the current input, of which nothing is saved.
    await preview.getByRole('heading', { name: 'Ask the shop' }).waitFor();
    await preview.getByLabel('Message', { exact: true }).fill('Hello');
    await ada.keyboard.press('Enter');
    await preview.getByText('This is a preview. Nothing is sent.').waitFor();
    await preview.getByRole('button', { name: 'Close' }).click();
    await preview.getByRole('button', { name: 'Ask the shop' }).waitFor();
    const place = await ada.locator('iframe[title="Preview"]').boundingBox();
    await ada.getByRole('group', { name: 'Side' }).getByText('Left side').click();
    await expect
      .poll(async () => (await ada.locator('iframe[title="Preview"]').boundingBox())?.x)
      .toBeLessThan(place?.x ?? 0);
    expect((await requestAs(service, as_ada, 'GET /widgets')).items).toEqual([]);
    expect(await inspectPage(ada, 'widget-preview', 'each')).toEqual([]);
    await ada.getByLabel('Allowed pages').fill('http://shop.example');
    await ada.getByRole('button', { name: 'Create widget' }).click();
    await ada.getByRole('alert').waitFor();
    expect(await inspectPage(ada, 'widget-new')).toEqual([]);
    await ada.getByLabel('Allowed pages').fill('https://shop.example/contact');
    await ada.getByRole('button', { name: 'Create widget' }).click();
    await ada.getByRole('heading', { name: 'Ask the shop', level: 1 }).waitFor();
    await ada.getByText(/<script async/).waitFor();
    expect(await inspectPage(ada, 'widget')).toEqual([]);
    const { items } = await requestAs(service, as_ada, 'GET /widgets');
    expect(items[0].allowed_origins).toEqual(['https://shop.example']);
    const guest = await service.call('POST /widgets/guests', {
      body: { public_key: items[0].public_key, name: 'Gina' },
      headers: { origin: 'https://shop.example' },
    });
    await requestAs(service, guest.body, `POST /widgets/${items[0].id}/chat`, { body: 'Are you open?' });
    await ada.getByRole('link', { name: 'See its chats' }).click();
    await ada.getByRole('link', { name: /^Gina .*Ask the shop: Are you open\?/ }).click();
    await ada.getByRole('log').getByText('Are you open?').first().waitFor();
    await ada.getByLabel('Message', { exact: true }).fill('Until six');
    await ada.keyboard.press('Enter');
    await expect
      .poll(async () => (await requestAs(service, guest.body, `GET /widgets/${items[0].id}/chat`)).items[0]?.body)
      .toBe('Until six');
    expect(await inspectPage(ada, 'widget-chat')).toEqual([]);
  });

  it('shows the pages on a phone', async () => {
    for (const [path, heading] of [
      ['map', 'Map'],
      ['invites', 'Invite people'],
      ['widgets', 'Widgets'],
    ]) {
      await visit(ben, `${service.url}/app/${path}`);
      await ben.getByRole('heading', { name: heading ?? '', level: 1 }).waitFor();
      expect(await inspectPage(ben, `phone-${path}`, 'each')).toEqual([]);
    }
  });
});
