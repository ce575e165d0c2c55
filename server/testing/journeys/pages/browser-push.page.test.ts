/**
 * Pushes in a real browser: enabled in the settings, shown by the service worker, clicked, and disabled with the
 * session.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CDPSession, Page, Worker } from 'playwright-core';
import { combinePush } from '../../../app/push.ts';
import { createWebPush, generateVapidKeys } from '../../../engines/push/web.ts';
import { createOutboundAgent, isOutboundUrl } from '../../../kernel/security/outbound.ts';
import { startCall } from '../../steps/calls.ts';
import { test_certificate } from '../../providers/certificate.ts';
import { createSubscription } from '../../steps/devices.ts';
import { mockSubscription } from '../../browser/mock-subscription.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import {
  clickOn,
  close_notifications,
  list_notifications,
  type ShownNotification,
} from '../../browser/worker-notifications.ts';
import { findPersonas, newestLinkToken, signInAgain, type Persona, type Personas } from '../../world/personas.ts';
import { postStatus } from '../../steps/statuses.ts';
import { decryptPush, startBrowserService } from '../../providers/push-services.ts';
import { clearCachedData, useBrowserWindows, missing_browser } from '../../browser/windows.ts';
import { createWorld, type World } from '../../world/world.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_browser, 'pushes in a browser', () => {
  const device = createSubscription('');
  const keys = generateVapidKeys();
  let browser: Awaited<ReturnType<typeof startBrowserService>>;
  let world: World;
  let people: Personas;
  let origin: string;
  let page: Page;
  let cdp: CDPSession;
  let registration_id: string | undefined;
  let session: Persona | undefined;
  const windows = useBrowserWindows({ has_workers: true });

  beforeAll(async () => {
    browser = await startBrowserService();
    const isAllowed = (url: string) => isOutboundUrl(url, true);
    const agent = createOutboundAgent({ allow_loopback: true, ca: test_certificate });
    const web = createWebPush({ ...keys, subject: 'mailto:operator@example.org', agent, isAllowed });
    world = await createWorld({
      environment: { THROTTLE_FACTOR: '1000' },
      engines: { push: combinePush(new Map([['web', web]]), keys.public_key, isAllowed) },
    });
    origin = `http://localhost:${await world.app.listen()}`;
    world.app.services.public_url = origin;
    people = findPersonas();
    page = await windows.open('desk', { is_persistent: true });
    await page.context().addInitScript(mockSubscription({ ...device.subscription, endpoint: `${browser.url}/alice` }));
    // DevTools reports workers to a page of their origin; this one does not belong to the client.
    const devtools_page = await page.context().newPage();
    await devtools_page.goto(`${origin}/health/live`);
    cdp = await page.context().newCDPSession(devtools_page);
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      registration_id = registrations.find(({ scopeURL }) => scopeURL === `${origin}/app/`)?.registrationId;
    });
    await cdp.send('ServiceWorker.enable');
  });
  afterAll(async () => {
    await world.close();
    await browser.close();
  });
  beforeEach(async () => {
    await startOver();
    await hangUp();
    await world.settle();
    browser.requests.splice(0);
    if (page.context().serviceWorkers().length > 0) await inWorker(close_notifications);
  });

  /** Signs alice in, in the window, with a new session, whose device receives no pushes. */
  const startOver = async () => {
    await clearCachedData(page, { url: origin });
    await page.context().clearCookies();
    if (session) await world.call('POST /auth/logout', { token: session.token });
    expect(await devices()).toEqual([]);
    session = await signInAgain(world, people.alice);
    const { token, refresh_token, session_id } = session;
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const pair = { token, expires_at: until, refresh_token, refresh_expires_at: until, session_id };
    await page.evaluate(`localStorage.setItem('asterism.session', ${JSON.stringify(JSON.stringify(pair))})`);
  };
  const permitNotifications = () =>
    page.context().grantPermissions(['notifications', 'camera', 'microphone'], { origin });
  /** Switches pushes on in the settings, and leaves the client. */
  const receivePushes = async () => {
    await permitNotifications();
    await page.goto(`${origin}/app/settings/notifications`);
    await deviceSwitch().click();
    await expect.poll(devices).toHaveLength(1);
    await expect.poll(() => deviceSwitch().isEnabled()).toBe(true);
    await expect.poll(() => registration_id).toMatch(/\d/);
    await leaveClient();
  };
  const worker = async (): Promise<Worker> => {
    const context = page.context();
    return context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');
  };
  const inWorker = async <T>(script: string): Promise<T> => (await worker()).evaluate(script);
  const shown = () => inWorker<ShownNotification[]>(list_notifications);
  /**
   * Delivers a push to the browser, and waits until the worker has handled it. Chromium loses a notification that is
   * shown at the moment when its list is read, so that repeated reading until it appears may remove it.
   */
  const deliverPush = async (data: string) => {
    const countHandled = () => inWorker<number>('self.pushes_done');
    const before = await inWorker<number>(`(() => {
      if (self.pushes_done !== undefined) return self.pushes_done;
      self.pushes_done = 0;
      const { waitUntil } = ExtendableEvent.prototype;
      ExtendableEvent.prototype.waitUntil = function (work) {
        waitUntil.call(this, work);
        if (this.type === 'push') Promise.resolve(work).finally(() => self.pushes_done++);
      };
      return 0;
    })()`);
    await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId: registration_id ?? '', data });
    await expect.poll(countHandled).toBe(before + 1);
  };
  /** Delivers what has arrived at the push service to the browser, decrypted as the browser would. */
  const deliver = async () => {
    await world.settle();
    const arrived = browser.requests.splice(0).map(({ body }) => decryptPush(body, device.keys, device.auth));
    for (const data of arrived) await deliverPush(data);
    return arrived.length;
  };
  const click = (tag: string, action = '') => inWorker<string[]>(clickOn(tag, action));
  const devices = async () => {
    const { rows } = await world.app.services.db.native.query(
      'select hash from push_tokens where user_id = $1 order by hash',
      [people.alice.id],
    );
    return rows.map(({ hash }: { hash: string }) => hash);
  };
  /** Leaves the client, as far as the worker can detect. */
  const leaveClient = async () => {
    await page.goto('about:blank');
    const count = `self.clients.matchAll({ includeUncontrolled: true }).then((all) => all.filter(({ url }) => url.includes('/app/')).length)`;
    await expect.poll(() => inWorker<number>(count)).toBe(0);
  };
  const stateOf = async (join_code: string) => {
    const { body } = await world.call(`GET /calls/${join_code}`, { token: people.bob.token });
    return body.participants.find(({ user }: { user: { id: string } }) => user.id === people.alice.id).state;
  };
  const hangUp = () => world.call('DELETE /calls/active', { token: people.bob.token });
  const deviceSwitch = () => page.getByRole('switch', { name: 'Notifications on this device' });

  it('use a worker that is revalidated on each load and that contacts no other host', async () => {
    const { headers } = await fetch(`${origin}/app/sw.js`);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/javascript; charset=utf-8',
      'no-cache',
    ]);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    const types: Record<string, string | null> = {};
    for (const name of ['icon-192.png', 'badge-96.png', 'icon.svg', 'manifest.webmanifest'])
      types[name] = (await fetch(`${origin}/app/${name}`)).headers.get('content-type');
    expect(Object.values(types)).toEqual(['image/png', 'image/png', 'image/svg+xml', 'application/manifest+json']);
    // Any other path returns the page, and no other file of the folder.
    const { headers: other } = await fetch(`${origin}/app/.asterism-stamp`);
    expect(other.get('content-type')).toMatch(/^text\/html/);
  });

  it('show instructions where the browser blocks them', async () => {
    await page.context().clearPermissions();
    // All others are refused.
    await page.context().grantPermissions(['camera', 'microphone'], { origin });
    await page.goto(`${origin}/app/settings/notifications`);
    await page.getByText('Your browser blocks notifications of this site.').waitFor();
    expect(await inspectPage(page, 'settings-push-blocked', 'each')).toEqual([]);
  });

  it('are switched on and off in the settings', async () => {
    await permitNotifications();
    await page.goto(`${origin}/app/settings/notifications`);
    await deviceSwitch().waitFor();
    expect([await deviceSwitch().isChecked(), await devices()]).toEqual([false, []]);
    await deviceSwitch().click();
    await expect.poll(async () => (await devices()).length).toBe(1);
    await expect.poll(() => deviceSwitch().isEnabled()).toBe(true);
    expect(await deviceSwitch().isChecked()).toBe(true);
    expect(await inspectPage(page, 'settings-push', 'each')).toEqual([]);
    await page.reload();
    await expect.poll(() => deviceSwitch().isChecked()).toBe(true);
    await deviceSwitch().click();
    await expect.poll(devices).toEqual([]);
    await expect.poll(() => deviceSwitch().isEnabled()).toBe(true);
    await deviceSwitch().click();
    await expect.poll(async () => (await devices()).length).toBe(1);
    await expect.poll(() => registration_id).toMatch(/\d/);
  });

  it('are shown, the newest about an object replacing the others, and open it', async () => {
    const { alice, bob, carol } = people;
    await receivePushes();
    const status = await postStatus(world, bob, 'Hello @alice');
    expect(await deliver()).toBe(1);
    const notice = { title: 'bob', body: 'bob mentioned you', tag: `status:${status.id}`, silent: false, actions: [] };
    await expect.poll(shown).toEqual([notice]);
    const own_status = await postStatus(world, alice, 'Talk to me');
    for (const author of [bob, carol]) {
      await world.call(`POST /statuses/${own_status.id}/replies`, { token: author.token, body: { body: 'Here I am' } });
      expect(await deliver()).toBe(1);
    }
    await expect
      .poll(async () => (await shown()).map(({ body }) => body).sort())
      .toEqual(['2 people replied to your post', 'bob mentioned you']);
    expect(await click(`status:${own_status.id}`)).toEqual([`/app/status/${own_status.id}`]);
    // An open window is focused, and shows the page without a reload.
    await page.goto(`${origin}/app/people`);
    await page.evaluate('window.still_here = true');
    expect(await click(`status:${status.id}`)).toEqual(['focus']);
    await page.waitForURL(`${origin}/app/status/${status.id}`);
    expect(await page.evaluate('window.still_here')).toBe(true);
    expect(await shown()).toEqual([]);
  });

  it('show no text where the account has disabled it', async () => {
    const { alice, bob } = people;
    await receivePushes();
    await world.call('PATCH /me', { token: alice.token, body: { push_text: false } });
    await postStatus(world, bob, 'Hello @alice, again');
    await deliver();
    await expect
      .poll(async () => (await shown()).map(({ title, body }) => [title, body]))
      .toEqual([['Asterism', 'There is something new']]);
    await world.call('PATCH /me', { token: alice.token, body: { push_text: true } });
  });

  it('mark the icon of the client while no page shows how much is new', async () => {
    await receivePushes();
    await inWorker(`WorkerNavigator.prototype.setAppBadge = async () => { self.marks = (self.marks ?? 0) + 1; }`);
    const marksAfter = async (type: string) => {
      await deliverPush(JSON.stringify({ type, subject_type: 'call', subject_id: '1', title: 'bob', text: 'Hi' }));
      return inWorker<number>('self.marks ?? 0');
    };
    expect([await marksAfter('call.settled'), await marksAfter('inbox.message')]).toEqual([0, 1]);
    await page.goto(`${origin}/app/people`);
    expect(await marksAfter('inbox.message')).toBe(1);
  });

  it('are shown with any content, and open no other origin', async () => {
    await receivePushes();
    const inboxPush = (id: string, url: string) =>
      JSON.stringify({ type: 'inbox.message', subject_type: 'inbox', subject_id: id, title: 'bob', text: 'Hi', url });
    for (const [data, tag, path] of [
      [inboxPush('1', `${origin}/app/inbox`), 'inbox:1', '/app/inbox'],
      [inboxPush('2', 'https://elsewhere.example.org/app/inbox'), 'inbox:2', '/app/notifications'],
      [inboxPush('3', 'javascript:alert(1)'), 'inbox:3', '/app/notifications'],
      ['no push of ours', 'news:', '/app/notifications'],
    ] as const) {
      await deliverPush(data);
      await expect.poll(async () => (await shown()).map(({ tag: shown_tag }) => shown_tag)).toEqual([tag]);
      expect(await click(tag)).toEqual([path]);
    }
  });

  it('ring, and are declined without a window', async () => {
    const { alice, bob } = people;
    await receivePushes();
    const { join_code, conference_id } = await startCall(world, bob, [alice]);
    await deliver();
    const tag = `call:${conference_id}`;
    await expect
      .poll(shown)
      .toEqual([{ title: 'bob', body: 'bob is calling you', tag, silent: false, actions: ['accept', 'decline'] }]);
    expect(await click(tag, 'decline')).toEqual([]);
    expect([await stateOf(join_code), await shown()]).toEqual(['declined', []]);
    // This device needs no push about it.
    expect(await deliver()).toBe(0);
  });

  it('are declined in the page when the worker cannot reach the service', async () => {
    const { alice, bob } = people;
    await receivePushes();
    const { join_code, conference_id } = await startCall(world, bob, [alice]);
    expect(await deliver()).toBe(1);
    await expect.poll(async () => (await shown()).length).toBe(1);
    await inWorker(`{ self.kept = self.fetch; self.fetch = () => Promise.reject(new TypeError('no network')); }`);
    try {
      expect(await click(`call:${conference_id}`, 'decline')).toEqual([`/app/j/${join_code}`]);
    } finally {
      await inWorker('{ self.fetch = self.kept; }');
    }
    expect(await stateOf(join_code)).toBe('ringing');
  });

  it('open an accepted call, and stop ringing when it is answered elsewhere or over', async () => {
    const { alice, bob } = people;
    await receivePushes();
    const noticeOf = async ({ conference_id }: { conference_id: string }) =>
      (await shown()).find(({ tag }) => tag === `call:${conference_id}`);
    const ring = async () => {
      const call = await startCall(world, bob, [alice]);
      expect(await deliver()).toBe(1);
      await expect.poll(async () => (await noticeOf(call))?.actions).toEqual(['accept', 'decline']);
      return call;
    };
    const accepted = await ring();
    expect(await click(`call:${accepted.conference_id}`, 'accept')).toEqual([`/app/call/${accepted.join_code}`]);
    await hangUp();
    await deliver();

    const missed = await ring();
    await hangUp();
    expect(await deliver()).toBe(1);
    await expect
      .poll(() => noticeOf(missed))
      .toMatchObject({ title: 'bob', body: 'You missed a call from bob', silent: true, actions: [] });

    const elsewhere = await ring();
    await world.call(`POST /calls/${elsewhere.join_code}/sfu-grant`, { token: alice.token, body: {} });
    expect(await deliver()).toBe(1);
    await expect.poll(() => noticeOf(elsewhere)).toMatchObject({ body: 'Answered on another device', actions: [] });
  });

  it('do not ring while the page is visible and rings itself', async () => {
    const { alice, bob } = people;
    await receivePushes();
    await page.goto(`${origin}/app/people`);
    await page.bringToFront();
    await page.getByRole('heading', { name: 'What you follow' }).waitFor();
    await startCall(world, bob, [alice]);
    await deliver();
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    expect(await shown()).toEqual([]);
    await hangUp();
    await deliver();
    await expect.poll(() => page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  });

  it('ring in the page that a click on the notification opens', async () => {
    const { alice, bob } = people;
    await receivePushes();
    const { conference_id, join_code } = await startCall(world, bob, [alice]);
    await deliver();
    await expect.poll(async () => (await shown()).length).toBe(1);
    const [path = ''] = await click(`call:${conference_id}`);
    await page.goto(origin + path);
    await page.getByRole('button', { name: 'Decline' }).click();
    await expect.poll(() => stateOf(join_code)).toBe('declined');
    await expect.poll(shown).toEqual([]);
  });

  it('continue when the browser changes its subscription while no page is open', async () => {
    const { bob } = people;
    await receivePushes();
    const [before] = await devices();
    const renewed = JSON.stringify({ ...device.subscription, endpoint: `${browser.url}/renewed` });
    await inWorker(`(async () => {
      const work = [];
      const event = Object.assign(new ExtendableEvent('pushsubscriptionchange'), {
        oldSubscription: null,
        newSubscription: { toJSON: () => (${renewed}) },
      });
      event.waitUntil = (promise) => work.push(promise);
      self.dispatchEvent(event);
      await Promise.all(work);
    })()`);
    const after = await devices();
    expect([after.length, after[0] === before]).toEqual([1, false]);
    await postStatus(world, bob, 'Still there, @alice?');
    await world.settle();
    expect(browser.requests.splice(0).map(({ path }) => path)).toEqual(['/renewed']);
  });

  it('end with the session', async () => {
    await receivePushes();
    await page.goto(`${origin}/app/settings/sessions`);
    await expect.poll(devices).toHaveLength(1);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await expect.poll(devices).toEqual([]);
    await expect.poll(() => page.evaluate(`localStorage.getItem('test.subscribed-with')`)).toBeNull();
    await expect.poll(() => page.evaluate(`caches.has('asterism-push')`)).toBe(false);
  });

  it('end when another account signs in over the session, whose notifications are closed', async () => {
    const { bob, carol } = people;
    await receivePushes();
    await postStatus(world, carol, 'Between us, @alice');
    expect(await deliver()).toBe(1);
    await expect.poll(async () => (await shown()).length).toBe(1);
    await world.call('POST /auth/magic-link', { body: { email: bob.email } });
    await world.settle();
    await page.goto(`${origin}/app/magic?token=${await newestLinkToken(world, bob.email)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^Good .*, bob$/).waitFor();
    await expect.poll(async () => [await shown(), await devices()]).toEqual([[], []]);
    expect(await page.evaluate(`localStorage.getItem('test.subscribed-with')`)).toBeNull();
  });
});
