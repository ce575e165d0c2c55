/** The video call of a group, which its chat starts: it rings at its members, and who answers is seen and heard. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs } from '../../running/running-people.ts';
import { type Service } from '../../running/running-service.ts';
import {
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  receivedMedia,
  sessionOf,
  signUp,
  visit,
} from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'the video call of a group from its chat', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let dara: Page;
  let group: { id: string };
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    dara = await windows.open('phone');
    await signUp(service, dara, 'dara', '+14155550103');
    const as_ada = await sessionOf(ada);
    group = await requestAs(service, as_ada, 'POST /groups', { name: 'Pier' });
    for (const [page, number] of [
      [ben, '+14155550102'],
      [dara, '+14155550103'],
    ] as const) {
      const member = await sessionOf(page);
      await requestAs(service, member, 'PATCH /me', { reach: { find: 'everyone' } });
      const contact = await requestAs(service, as_ada, 'POST /contacts', { name: number, phones: [{ number }] });
      await requestAs(service, as_ada, `PUT /groups/${group.id}/members/${contact.id}`);
      const { items } = await requestAs(service, member, 'GET /group-invites');
      await requestAs(service, member, `POST /group-invites/${items[0].id}/accept`);
    }
    await visit(ada, `${service.url}/app/messages/group/${group.id}`);
  });

  const ring = (page: Page) => page.getByRole('region', { name: 'Incoming call' });
  const stateOf = async (page: Page) =>
    (await requestAs(service, await sessionOf(page), 'GET /calls/active')) as CallState;
  const statesOf = async () => {
    const { participants } = await stateOf(ada);
    return Object.fromEntries(participants.map(({ user, state }) => [user?.username, state]));
  };

  it('rings every member, and joins those who answer with video', async () => {
    await ada.getByRole('button', { name: 'Video call with Pier' }).click();
    await ada.waitForURL(/\/app\/call\//);
    await Promise.all([ben, dara].map((page) => ring(page).waitFor()));
    expect(await inspectPage(ben, 'group-call-ring')).toEqual([]);
    expect(await stateOf(ada)).toMatchObject({ media: 'video', group_id: group.id });
    await ring(ben).getByRole('button', { name: 'With camera' }).click();
    await ring(dara).getByRole('button', { name: 'Decline' }).click();
    await expect.poll(statesOf).toEqual({ ada: 'joined', ben: 'joined', dara: 'declined' });
    for (const page of [ada, ben])
      await expect
        .poll(async () => {
          const { frames, energy } = await receivedMedia(page);
          return frames > 0 && energy > 0;
        })
        .toBe(true);
    expect(await inspectPage(ada, 'call-group-video')).toEqual([]);
  });

  it('is joined later by a member who declined it, and then shows them the others', async () => {
    const { join_code } = await stateOf(ada);
    await visit(dara, `${service.url}/app/j/${join_code}`);
    await dara.getByRole('main').getByRole('button', { name: /^Join/ }).click();
    await expect.poll(statesOf).toEqual({ ada: 'joined', ben: 'joined', dara: 'joined' });
    const before = (await receivedMedia(dara)).frames;
    await expect.poll(async () => (await receivedMedia(dara)).frames).toBeGreaterThan(before);
    expect((await stateOf(dara)).join_code).toBe(join_code);
  });
});

interface CallState {
  join_code: string;
  participants: { user: { username: string } | null; state: string }[];
}
