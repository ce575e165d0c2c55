/** Chats of groups in everyday use: what is not read, the names of members, and who is mentioned. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs, signUp, type RunningPerson } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  sessionOf,
  visit,
} from '../../browser/windows.ts';
import { chatLink, messageOf, writeMessage } from '../../browser/chats.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_browser, 'chats of groups', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let olga: RunningPerson;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    olga = await signUp(service, 'olga', '+14155550131');
    await requestAs(service, olga, 'PATCH /me', { display_name: 'Olga Berg' });
  });

  const message = (page: Page) => page.getByLabel('Message', { exact: true });

  /** A group of Olga's that people have joined. */
  const startGroup = async (name: string, members: [page: Page, number: string][]): Promise<{ id: string }> => {
    const group = await requestAs(service, olga, 'POST /groups', { name });
    for (const [page, number] of members) {
      const member = await sessionOf(page);
      await requestAs(service, member, 'PATCH /me', { reach: { find: 'everyone' } });
      const contact = await requestAs(service, olga, 'POST /contacts', { name: 'A friend', phones: [{ number }] });
      await requestAs(service, olga, `PUT /groups/${group.id}/members/${contact.id}`);
      const { items } = await requestAs(service, member, 'GET /group-invites');
      await requestAs(service, member, `POST /group-invites/${items[0].id}/accept`);
    }
    return group;
  };

  it('reads and replies in the chat of a group, with the unread count in the badge', async () => {
    const group = await startGroup('Choir', [[ada, '+14155550101']]);
    await visit(ada, `${service.url}/app/`);
    await requestAs(service, olga, `POST /groups/${group.id}/chat`, { body: 'Rehearsal at eight' });
    await areaLink(ada, /^Chats 1 new message$/).click();
    expect(await inspectPage(ada, 'chats-list')).toEqual([]);
    await chatLink(ada, /^Choir .*Rehearsal at eight.*1 not read/).click();
    await messageOf(ada, /Unread messages.*Rehearsal at eight/s).waitFor();
    await areaLink(ada, /^Chats$/).waitFor();
    await ada.getByRole('button', { name: 'More about “Rehearsal at eight”' }).click();
    await ada.getByRole('menuitem', { name: 'Reply' }).click();
    await writeMessage(ada, 'I will be there');
    await messageOf(ada, /Rehearsal at eight.*I will be there/s).waitFor();
    // It is shown while it is being sent.
    const read = () => requestAs(service, olga, `GET /groups/${group.id}/chat`);
    await expect.poll(async () => (await read()).items[0].body).toBe('I will be there');
    const { items } = await read();
    expect(items[0].reply_to).toBe(items[1].id);
    // More than one page of messages is unread: those before them are loaded for the line above them.
    await areaLink(ada, /^Home$/).click();
    for (let at = 1; at <= 40; at++)
      await requestAs(service, olga, `POST /groups/${group.id}/chat`, { body: `Bar ${at}.` });
    await areaLink(ada, /^Chats 40 new messages$/).click();
    await chatLink(ada, /^Choir .*40 not read/).click();
    await messageOf(ada, /Unread messages.*Bar 1\./s).waitFor();
    await expect.poll(async () => (await messageOf(ada, 'Bar 1.').first().boundingBox())?.y ?? 0).toBeGreaterThan(0);
    expect((await messageOf(ada, 'Bar 1.').first().boundingBox())?.y).toBeLessThan(300);
    // Only what was in sight is read.
    const jump = ada.getByRole('button', { name: /^(?:1[5-9]|2\d|3[0-5]) new messages$/ });
    await jump.waitFor();
    await requestAs(service, olga, `POST /groups/${group.id}/chat`, { body: 'Rehearsal at nine' });
    await jump.click();
    await messageOf(ada, 'Rehearsal at nine').waitFor();
    expect(await inspectPage(ada, 'group-chat')).toEqual([]);
    // Whoever writes is one press away, by the picture or the name.
    const { id: olga_id } = await requestAs(service, olga, 'GET /me');
    await messageOf(ada, 'Rehearsal at nine').locator('.msg-picture').click();
    await ada.waitForURL(`${service.url}/app/u/${olga_id}`);
    await ada.goBack();
    await messageOf(ada, 'Rehearsal at nine').waitFor();
    await requestAs(service, olga, `DELETE /groups/${group.id}`);
    await ada.getByText('This chat is closed').waitFor();
  });

  it('completes the names of members in the chat of a group, and links them', async () => {
    const group = await startGroup('Crew', [
      [ada, '+14155550101'],
      [ben, '+14155550102'],
    ]);
    await visit(ada, `${service.url}/app/messages/group/${group.id}`);
    await message(ada).waitFor();
    const asked: string[] = [];
    ada.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const options = ada.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await message(ada).pressSequentially('Who has the keys, @');
    // The members, without the reader.
    await expect.poll(async () => (await options.allTextContents()).sort()).toEqual(['OOlga Berg@olga', 'bben']);
    await message(ada).pressSequentially('ben');
    await expect.poll(() => options.count()).toBe(1);
    const field = ada.getByRole('combobox', { name: 'Message', expanded: true });
    expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
    expect(await inspectPage(ada, 'group-suggestions')).toEqual([]);
    await ada.keyboard.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    expect(await message(ada).inputValue()).toBe('Who has the keys, @ben');
    for (let at = 0; at < 4; at++) await ada.keyboard.press('Backspace');
    await ada.keyboard.type('@berg');
    await options.filter({ hasText: 'Olga Berg' }).waitFor();
    await ada.keyboard.press('Enter');
    expect(await message(ada).inputValue()).toBe('Who has the keys, @olga ');
    await ada.keyboard.type('or *even');
    expect(await options.count()).toBe(0);
    expect(asked.filter((path) => /^\/v1\/(?:xtags\/search|contacts)/.test(path))).toEqual([]);
    ada.removeAllListeners('request');
    await ada.keyboard.press('Enter');
    const link = messageOf(ada, 'Who has the keys').getByRole('link', { name: '@olga' });
    expect(await link.getAttribute('href')).toBe(`/app/u/${(await requestAs(service, olga, 'GET /me')).id}`);
    expect(await link.getAttribute('class')).toBe('mention');
    const [note] = (await requestAs(service, olga, 'GET /notifications')).items;
    expect(note).toMatchObject({ kind: 'group_mention', text: 'ada mentioned you in Crew' });
  });

  it('marks a chat in which the reader is mentioned, also a muted one, and the mention itself', async () => {
    const as_ada = await sessionOf(ada);
    const { id } = await startGroup('Band', [
      [ada, '+14155550101'],
      [ben, '+14155550102'],
    ]);
    await requestAs(service, as_ada, `PATCH /groups/${id}/chat/settings`, { muted_until: '9999-12-31T23:59:59Z' });
    await visit(ada, `${service.url}/app/`);
    const sent = await requestAs(service, olga, `POST /groups/${id}/chat`, { body: '@ada, you have them.' });
    await requestAs(service, olga, `POST /groups/${id}/chat`, { body: 'Look in your bag.' });
    // The chat is muted, so that it is not counted.
    await areaLink(ada, /^Chats$/).click();
    const row = chatLink(ada, /^Band Muted .*Look in your bag\..*1 mention of you.*2 not read/);
    await row.waitFor();
    expect(await inspectPage(ada, 'chats-mention')).toEqual([]);
    await visit(ada, `${service.url}/app/notifications`);
    await ada.getByRole('link', { name: 'Olga Berg mentioned you in Band' }).click();
    await ada.waitForURL(`${service.url}/app/messages/group/${id}?at=${sent.id}`);
    const mention = messageOf(ada, 'you have them').getByRole('link', { name: '@ada' });
    expect(await mention.getAttribute('class')).toBe('mention own');
    expect(await inspectPage(ada, 'group-mention')).toEqual([]);
    await messageOf(ada, 'you have them').getByRole('link', { name: 'Olga Berg' }).click();
    await ada.waitForURL(`${service.url}/app/u/${(await requestAs(service, olga, 'GET /me')).id}`);
    await ada.goBack();
    await messageOf(ada, 'you have them').waitFor();
    await chatLink(ada, /^Band Muted .*Look in your bag\.$/).waitFor();
    await visit(ben, `${service.url}/app/messages/group/${id}`);
    await messageOf(ben, 'you have them').getByRole('link', { name: '@ada' }).waitFor();
    expect(await messageOf(ben, 'you have them').locator('.mention.own').count()).toBe(0);
    expect(await inspectPage(ben, 'group-mention-phone')).toEqual([]);
    // An edit that removes the name removes the link.
    await requestAs(service, olga, `PATCH /groups/${id}/chat/${sent.id}`, { body: 'You have them, ada.' });
    await messageOf(ada, 'You have them, ada.').waitFor();
    expect(await messageOf(ada, 'You have them, ada.').locator('.rich-text').getByRole('link').count()).toBe(0);
    await requestAs(service, olga, `DELETE /groups/${id}`);
    await ada.getByText('This chat is closed').waitFor();
  });
});
