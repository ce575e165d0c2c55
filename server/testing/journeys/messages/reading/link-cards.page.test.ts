/** Links of a text to things in this service: a card for what the reader may see, with one act. */
import { beforeAll, expect, it } from 'vitest';
import type { Page, Request } from 'playwright-core';
import { messageOf, openThread, writeMessage } from '../../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../../testing/skip.ts';
import { inspectPage } from '../../../browser/page-checks.ts';
import { requestAs } from '../../../running/running-people.ts';
import { type Service } from '../../../running/running-service.ts';
import { missing_browser, openTwoPeople, sessionOf, useBrowserWindows, visit } from '../../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'cards of links', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let thread_id: string;
  let as_ada: { token: string };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    thread_id = await openThread(service, ada, ben);
    as_ada = await sessionOf(ada);
  });

  /** Opens the chat of both people. */
  async function openChats(): Promise<void> {
    for (const page of [ada, ben]) await visit(page, `${service.url}/app/messages/${thread_id}`);
  }

  const cards = (page: Page, text: string) => messageOf(page, text).locator('.link-card[role="group"]');
  const card = (page: Page, name: string) => page.getByRole('log').getByRole('group', { name, exact: true });

  it('show a tag, whose follow is one press away', async () => {
    await openChats();
    const tag = await requestAs(service, as_ada, 'POST /xtags', {
      name: 'evenings',
      title: `Songs by the ${'Donaudampfschiff'.repeat(3)}`,
    });
    await writeMessage(ada, `Look ${service.url}/t/evenings`);
    await card(ben, '*evenings').getByRole('button', { name: 'Follow *evenings' }).click();
    await card(ben, '*evenings').getByRole('button', { name: 'Following *evenings: unfollow' }).waitFor();
    await expect
      .poll(async () => (await requestAs(service, await sessionOf(ben), `GET /xtags/${tag.id}`)).following)
      .toBe(true);
    await card(ada, '*evenings').getByText('Yours').waitFor();
    for (const page of [ada, ben])
      expect(await inspectPage(page, `link-card-${page === ada ? 'own' : 'tag'}`)).toEqual([]);
    await card(ben, '*evenings').getByRole('link', { name: '*evenings' }).focus();
    await ben.keyboard.press('Enter');
    await ben.waitForURL(/\/t\/evenings$/);
    await ben.goBack();
  });

  it('show a person, a group and a room, each with its act', async () => {
    await openChats();
    const me = await requestAs(service, as_ada, 'GET /me');
    const group = await requestAs(service, as_ada, 'POST /groups', { name: 'جوقة الميناء' });
    const link = await requestAs(service, as_ada, `PUT /groups/${group.id}/link`);
    const tag = await requestAs(service, as_ada, 'POST /xtags', { name: 'rehearsals' });
    const room = await requestAs(service, as_ada, `PUT /xtags/${tag.id}/room`, { privacy: 'public' });
    await writeMessage(ada, `All: ${service.url}/app/u/${me.id} ${link.url} ${room.url}`);
    await expect.poll(() => cards(ben, 'All:').count()).toBe(3);
    await card(ben, 'ada').getByRole('button', { name: 'Call ada' }).waitFor();
    await card(ben, 'جوقة الميناء').getByText('Group · 1 member').waitFor();
    await card(ben, '*rehearsals').getByText('No one is here yet').waitFor();
    await card(ben, '*rehearsals').getByRole('link', { name: 'Join *rehearsals' }).waitFor();
    expect(await inspectPage(ben, 'link-cards-three')).toEqual([]);
    await card(ben, 'جوقة الميناء').getByRole('link', { name: 'Join جوقة الميناء' }).click();
    await ben.getByRole('button', { name: 'Join group' }).waitFor();
    await ben.goBack();
  });

  it('leave a plain link of what the reader may not see, and of other addresses', async () => {
    await openChats();
    const hidden = await requestAs(service, as_ada, 'POST /xtags', { name: 'secret-songs', visibility: 'private' });
    await writeMessage(ada, `Private: ${service.url}/t/${hidden.name} https://elsewhere.example/t/evenings`);
    await expect.poll(() => cards(ada, 'Private:').count()).toBe(1);
    await messageOf(ben, 'Private:')
      .getByRole('link', { name: /secret-songs/ })
      .waitFor();
    await expect.poll(() => messageOf(ben, 'Private:').locator('.link-card').count()).toBe(0);
  });

  it('are read once, however many texts have the link, and ask no other host', async () => {
    await openChats();
    const asked: string[] = [];
    const note = (request: Request) => asked.push(request.url());
    ben.on('request', note);
    await requestAs(service, as_ada, 'POST /xtags', { name: 'mornings' });
    for (const text of ['First', 'Second']) await writeMessage(ada, `${text} ${service.url}/t/mornings`);
    for (const text of ['First', 'Second']) await cards(ben, text).getByText('*mornings').waitFor();
    expect(asked.filter((url) => url.includes('/profiles/mornings')).length).toBe(1);
    expect(asked.filter((url) => !url.startsWith(service.url))).toEqual([]);
    ben.off('request', note);
  });

  it('are shown in posts', async () => {
    await requestAs(service, as_ada, 'POST /xtags', { name: 'matinees' });
    const status = await requestAs(service, as_ada, 'POST /statuses', { body: `Follow ${service.url}/t/matinees` });
    await visit(ben, `${service.url}/app/status/${status.id}`);
    const group = ben.getByRole('article').first().getByRole('group', { name: '*matinees' });
    await group.getByRole('button', { name: 'Follow *matinees' }).waitFor();
    expect(await inspectPage(ben, 'link-card-post')).toEqual([]);
  });
});
