/** What a browser keeps, and still does, for an account that has signed out there. */
import { beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { openThread, writeMessage } from '../../browser/chats.ts';
import { requestAs } from '../../running/running-people.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  missing_browser,
  openTwoPeople,
  password,
  sessionOf,
  useBrowserWindows,
  visit,
} from '../../browser/windows.ts';

/** The keys of what is stored for accounts, and the names of the caches that belong to one. */
const list_stored = `(async () => [
  ...Object.keys(localStorage).filter((key) => key.startsWith('asterism.kept.')),
  ...(await caches.keys()).filter((name) => ['asterism-unsent', 'asterism-shared', 'asterism-map'].includes(name)),
])()`;

/** Whether the page has requested a part of the client, as an expression for it. */
const has_loaded = (part: string) =>
  `performance.getEntriesByType('resource').some(({ name }) => name.includes('/${part}-'))`;

/** A page as a frozen tab: it learns nothing of what happens in others. */
const freeze = `{
  const { addEventListener } = window;
  window.addEventListener = function (type, ...rest) {
    if (type !== 'storage') addEventListener.call(this, type, ...rest);
  };
}`;

describeUnlessMissing(missing_browser, 'a browser that an account has left', () => {
  let service: Service;
  /** The browser that is shared, in which ada is signed in first. */
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  const windows = useBrowserWindows();
  beforeEach(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'desk' }));
    thread_id = await openThread(service, ada, ben);
  });

  const listStored = () => ada.evaluate(list_stored) as Promise<string[]>;
  const signOut = async () => {
    await visit(ada, `${service.url}/app/settings/sessions`);
    await ada.getByRole('button', { name: 'Sign out', exact: true }).click();
    await ada.waitForURL('**/app/sign-in*');
  };
  const isValid = async (token: string) => (await service.call('GET /me', { token })).status === 200;
  /** What the cookie of the browser still opens. */
  const refresh = () =>
    ada.evaluate(
      `fetch('/v1/auth/refresh', { method: 'POST', headers: { 'asterism-session': 'cookie' } }).then(({ status }) => status)`,
    ) as Promise<number>;
  const signInBen = async () => {
    const email = 'ben@example.org';
    await ada.getByLabel('Username').fill('ben');
    await ada.getByLabel('Password', { exact: true }).fill(password);
    const before = (await service.caught(email))[0]?.code;
    await ada.getByRole('button', { name: 'Sign in' }).click();
    const code = await poll(async () => {
      const newest = (await service.caught(email))[0]?.code;
      return newest !== before && newest;
    }, 'a new code');
    await ada.getByLabel('Code').fill(code);
    await ada.getByText(/^Good .*, ben$/).waitFor();
  };

  it('ends the session of somebody who signed out without a network, once there is one', async () => {
    const { token } = await sessionOf(ada);
    await visit(ada, `${service.url}/app/settings/sessions`);
    await ada.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    await visit(ada, `${service.url}/app/messages/${thread_id}`);
    await ada.getByLabel('Message', { exact: true }).waitFor();
    // The last of the pages that are loaded ahead: without a service worker, it cannot be loaded later.
    await expect.poll(() => ada.evaluate(has_loaded('auth-pages'))).toBe(true);
    await ada.context().setOffline(true);
    await writeMessage(ada, 'Never sent');
    await signOut();
    expect(await listStored()).toEqual([]);
    expect(await isValid(token)).toBe(true);
    await ada.context().setOffline(false);
    await expect.poll(() => isValid(token)).toBe(false);
    // Without a cookie, its token is missing. The browser may cancel requests while its network comes back.
    await expect.poll(() => refresh().catch(() => undefined)).toBe(422);
  });

  it('has no message that was sent again while its author signed out', async () => {
    await visit(ada, `${service.url}/app/messages/${thread_id}`);
    let tries = 0;
    await ada.route('**/v1/dm/threads/*/chat', (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      tries++;
      return route.fulfill({ status: 503 });
    });
    await writeMessage(ada, 'Never sent');
    await ada.getByText('Waiting for a connection').first().waitFor();
    await ada.route('**/v1/auth/logout', async (route) => {
      const before = tries;
      await ada.evaluate(`dispatchEvent(new Event('online'))`);
      await poll(() => Promise.resolve(tries > before), 'another try');
      await route.continue();
    });
    await signOut();
    await expect.poll(listStored).toEqual([]);
  });

  it('sends nothing as the account that another tab has signed in', async () => {
    const other = await sessionOf(ben);
    const tab = await ada.context().newPage();
    await tab.addInitScript(freeze);
    await tab.goto(`${service.url}/app/messages/${thread_id}`);
    await tab.getByLabel('Message', { exact: true }).waitFor();
    await tab.evaluate(`localStorage.setItem('asterism.session', ${JSON.stringify(JSON.stringify(other))})`);
    const posted = tab.waitForRequest((request) => request.url().endsWith('/chat') && request.method() === 'POST');
    await writeMessage(tab, 'Between us');
    expect((await posted).headers()['authorization']).toBeUndefined();
    const { items } = await requestAs(service, other, `GET /dm/threads/${thread_id}/chat`);
    expect((items as { body: string }[]).map(({ body }) => body)).toEqual(['The pier at nine?']);
  });

  it('shows nothing of an account that signed out when the browser restores a page of it', async () => {
    const tab = await ada.context().newPage();
    await tab.addInitScript(freeze);
    await tab.goto(`${service.url}/app/messages/${thread_id}`);
    await tab.getByLabel('Message', { exact: true }).waitFor();
    await tab.evaluate(`localStorage.removeItem('asterism.session')`);
    // As the back/forward cache does it, which browsers under automation do not have.
    await tab.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await tab.getByRole('button', { name: 'Sign in' }).waitFor();
    await expect.poll(() => tab.getByText('The pier at nine?').count()).toBe(0);
  });

  it('shows the next account nothing of one whose session was ended elsewhere', async () => {
    const { token } = await sessionOf(ada);
    await visit(ada, `${service.url}/app/messages/${thread_id}`);
    await ada.getByLabel('Message', { exact: true }).fill('A secret draft');
    await ada.evaluate(`(async () => {
      for (const name of ['asterism-unsent', 'asterism-shared', 'asterism-map']) await (await caches.open(name)).put('/app/shared/text', new Response('A secret'));
    })()`);
    await ada.reload();
    await expect.poll(() => ada.evaluate(`localStorage.getItem('asterism.owner')`)).toMatch(/^usr_/);
    await requestAs(service, { token }, 'DELETE /auth/sessions');
    await ada.waitForURL('**/app/sign-in*');
    await ada.goto(`${service.url}/app/sign-in`);
    // What a page does once, when it is first shown, it did while nobody was signed in.
    await expect.poll(() => ada.evaluate(has_loaded('transferred-files'))).toBe(true);
    await signInBen();
    await expect.poll(listStored).toEqual([]);
  });

  it('loads the page again for the next account, so that no late answer belongs to it', async () => {
    await visit(ada, `${service.url}/app/messages/${thread_id}`);
    await ada.evaluate('window.is_adas = true');
    await signOut();
    await signInBen();
    expect(await ada.evaluate('window.is_adas')).toBeUndefined();
  });

  it('ends the session of an account that is replaced by a link in a mail', async () => {
    const { token } = await sessionOf(ada);
    await service.call('POST /auth/magic-link', { body: { email: 'ben@example.org' } });
    const link = await poll(async () => {
      const [letter] = await service.caught('ben@example.org');
      return /https?:\/\/\S+\/app\/magic\?\S+/.exec(letter?.text ?? '')?.[0];
    }, 'the link');
    await ada.goto(link);
    await ada.getByRole('button', { name: 'Sign in' }).click();
    await ada.getByText(/^Good .*, ben$/).waitFor();
    await expect.poll(() => isValid(token)).toBe(false);
    // The next account keeps its own cookie.
    expect(await refresh()).toBe(200);
  });
});
