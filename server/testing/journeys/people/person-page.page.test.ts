/** The page of a person: who they are, their tags, what both have in common, and the ways to reach them; and requests. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs, signUp as signUpByApi, type RunningPerson } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, sessionOf, signUp, waitForHome } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'the page of a person', () => {
  let service: Service;
  let ben: Page;
  let ada: RunningPerson;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    ben = await windows.open('phone');
    await signUp(service, ben, 'ben', '+14155550102');
    ada = await signUpByApi(service, 'ada', '+14155550101');
    await requestAs(service, ada, 'PATCH /me', { display_name: 'Ada Moreau', bio: 'Night walks' });
    const tag = await requestAs(service, ada, 'POST /xtags', { name: 'jazz', title: 'Evenings of jazz' });
    await requestAs(service, await sessionOf(ben), `PUT /xtags/${tag.id}/follow`, {});
    await requestAs(service, ada, 'POST /statuses', { tag_id: tag.id, body: 'Tonight at nine, with @ben' });
  });

  it('opens from the name of an author and from a mention', async () => {
    await ben.goto(`${service.url}/app/`);
    await waitForHome(ben);
    await ben.getByRole('article').getByRole('link', { name: '@ben' }).click();
    await ben.getByRole('link', { name: 'Edit profile' }).waitFor();
    await ben.goBack();
    await ben.getByRole('article').getByRole('link', { name: 'Ada Moreau' }).click();
    await ben.getByRole('heading', { name: 'Ada Moreau', level: 1 }).waitFor();
    await ben.getByText('Night walks').waitFor();
    await ben.getByRole('link', { name: /^\*jazz/ }).waitFor();
    await ben.getByRole('button', { name: /Following/ }).waitFor();
    expect(await inspectPage(ben, 'person')).toEqual([]);
    // On a phone an arrow returns to the previous page, or to People where the page was opened by its link.
    await ben.getByRole('button', { name: 'Back' }).click();
    await ben.getByRole('article').getByRole('link', { name: 'Ada Moreau' }).waitFor();
    await waitForHome(ben);
    await ben.goto(`${service.url}/app/u/${ada.id}`);
    await ben.getByRole('link', { name: 'Back' }).click();
    await ben.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  });

  it('adds the person to the contacts, and opens the chat with them', async () => {
    await ben.goto(`${service.url}/app/u/${ada.id}`);
    await ben.getByRole('heading', { name: 'Ada Moreau', level: 1 }).waitFor();
    await ben.getByRole('button', { name: 'Add Ada Moreau to contacts' }).click();
    await ben.getByText('Ada Moreau is in your contacts.').waitFor();
    await ben.getByRole('button', { name: 'Undo' }).click();
    await ben.getByRole('button', { name: 'Add Ada Moreau to contacts' }).waitFor();
    await ben.getByRole('button', { name: 'Message Ada Moreau' }).click();
    await ben.waitForURL(/\/app\/messages\/thr_/);
    await ben.getByRole('heading', { name: 'Ada Moreau', level: 1 }).waitFor();
  });

  it('mutes the person from the menu beside their name, and unmutes them', async () => {
    const posts = ben.getByRole('article').filter({ hasText: 'Tonight at nine' });
    await ben.goto(`${service.url}/app/`);
    await posts.getByRole('button', { name: /^More about/ }).click();
    await ben.getByRole('menuitem', { name: 'Mute Ada Moreau' }).click();
    await ben.getByText('Ada Moreau is muted. They won’t be notified.').waitFor();
    await posts.waitFor({ state: 'detached' });
    await ben.getByRole('button', { name: 'Undo' }).click();
    await posts.waitFor();
    await ben.goto(`${service.url}/app/u/${ada.id}`);
    await ben.getByRole('button', { name: 'More about Ada Moreau' }).click();
    await ben.getByRole('menuitem', { name: 'Mute Ada Moreau' }).click();
    await ben.getByText('Ada Moreau is muted. They won’t be notified.').waitFor();
    await ben.goto(`${service.url}/app/settings/mutes`);
    await ben.getByRole('heading', { name: 'Muted people' }).waitFor();
    await ben.getByText('@ada').waitFor();
    expect(await inspectPage(ben, 'mutes')).toEqual([]);
    await ben.getByRole('button', { name: 'Stop muting Ada Moreau' }).click();
    await ben.getByText('No one is muted').waitFor();
    await ben.goto(`${service.url}/app/`);
    await posts.waitFor();
  });

  it('says once that there are no requests, and leads to where people are found', async () => {
    await ben.goto(`${service.url}/app/people/requests`);
    await ben.getByRole('heading', { name: 'No requests' }).waitFor();
    expect(await ben.getByText(/^No /).count()).toBe(1);
    await ben.getByRole('link', { name: 'Find people', exact: true }).click();
    await ben.getByLabel('Search people and tags').waitFor();
  });

  it('is not found by a person who is blocked', async () => {
    // A block ends what the two follow of each other, so no other test is about this person.
    const olga = await signUpByApi(service, 'olga', '+14155550103');
    const { id } = await requestAs(service, await sessionOf(ben), 'GET /me');
    await ben.goto(`${service.url}/app/u/${olga.id}`);
    await ben.getByRole('heading', { name: 'olga', level: 1 }).waitFor();
    await requestAs(service, olga, 'POST /blocks', { user_id: id });
    await ben.goto(`${service.url}/app/u/${olga.id}`);
    await ben.getByRole('heading', { name: 'Person not found' }).waitFor();
    expect(await inspectPage(ben, 'person-gone', 'each')).toEqual([]);
  });
});
