/** Controls of a call in the browser: decline, share a screen, raise a hand, choose a device. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { focusedElement, inspectPage } from '../../browser/page-checks.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  callTag,
  useBrowserWindows,
  createTag,
  openTwoPeople,
  missing_browser,
  receivedMedia,
  sizes,
  waitForHome,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { describeStory } from '../../../../testing/story.ts';

describeUnlessMissing(missing_browser, 'call controls in two browsers', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'phone', ben: 'desk' }));
    await createTag(ada, 'evenings');
  });
  const ring = (page: Page) => page.getByRole('region', { name: 'Incoming call' });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  it('declines a call, which the caller sees, and does not ring again', async () => {
    await callTag(ben, 'evenings');
    await ada.getByText('@ben is calling you').waitFor();
    await press(ada, 'Decline');
    await ring(ada).waitFor({ state: 'detached' });
    await ben.getByText('ada declined').waitFor();
    // Nobody has talked yet.
    expect(await ben.locator('.call-clock').count()).toBe(0);
    await ada.reload();
    await waitForHome(ada);
    expect(await ring(ada).count()).toBe(0);
    // On a phone, the row of controls has no room for it.
    await ben.setViewportSize(sizes.phone);
    expect(await ben.getByRole('button', { name: 'End for all' }).count()).toBe(0);
    await press(ben, 'More about this call');
    await ben.getByRole('menuitem', { name: 'End for all' }).click();
    await ben.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(async () => (await focusedElement(ben)).name).toBe('More about this call');
    await ben.setViewportSize(sizes.desk);
    await press(ben, 'End for all');
    await ben.getByRole('alertdialog').getByRole('button', { name: /End/ }).click();
    await waitForHome(ben);
  });

  it('ends the call of a caller who leaves while their grant is pending', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const order: string[] = [];
    await ben.route(/\/(sfu-grant|leave)$/, async (route) => {
      const act = route.request().url().split('/').at(-1) ?? '';
      if (act === 'sfu-grant') await held;
      order.push(act);
      await route.continue();
    });
    const requested = ben.waitForRequest(/\/sfu-grant$/);
    await callTag(ben, 'evenings');
    await requested;
    await press(ben, 'Leave');
    release();
    await waitForHome(ben);
    await ben.unroute(/\/(sfu-grant|leave)$/);
    // No request after the leave joins again.
    expect(order).toEqual(['sfu-grant', 'leave']);
    const token = (await ben.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)) as string;
    expect((await service.call('GET /calls/active', { token })).status).toBe(404);
    await ring(ada).waitFor({ state: 'detached' });
  });

  describeStory(missing_browser, 'in one call of two people', () => {
    it('shows a shared screen to the other participant until it is stopped', async () => {
      await callTag(ben, 'evenings');
      await press(ada, 'Accept');
      for (const page of [ada, ben]) await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
      await press(ben, 'Share screen');
      const screen = ada.getByLabel('ben, screen');
      await screen.waitFor();
      await poll(async () => (await receivedMedia(ada)).frames > 3, 'the video of the screen');
      await ben.locator('.call-controls').getByRole('button', { name: 'Stop sharing' }).click();
      await screen.waitFor({ state: 'detached' });
    });

    it('raises a hand, which the host lowers, and shows a reaction to both', async () => {
      await press(ada, 'React');
      await ada.getByRole('menuitem', { name: 'Raise hand' }).click();
      await ada.getByRole('button', { name: 'Hand raised' }).waitFor();
      const stage = ben.getByRole('list', { name: 'On stage' });
      await stage.getByText('Hand raised').waitFor();
      await ben.getByText('ada raised their hand.').waitFor();
      expect(await inspectPage(ben, 'call-hand', 'each')).toEqual([]);
      await ben.getByRole('tab', { name: /^People/ }).click();
      await press(ben, 'Lower the hand of ada');
      await stage.getByText('Hand raised').waitFor({ state: 'detached' });
      await ada.getByRole('button', { name: 'React', exact: true }).waitFor();
      await ada.getByText('A host lowered your hand.').waitFor();
      await press(ben, 'Hide chat');
      // The host's own hand, by its shortcut, which nobody needs to tell them about.
      await ben.keyboard.press('Control+Alt+h');
      await ben.getByRole('button', { name: 'Hand raised' }).waitFor();
      await ben.keyboard.press('Control+Alt+h');
      await ben.getByRole('button', { name: 'React', exact: true }).waitFor();
      expect(
        await ben
          .getByText(/(raised|lowered) (their|your) hand/)
          .filter({ hasNotText: 'ada' })
          .count(),
      ).toBe(0);
      await press(ben, 'React');
      await ben.getByRole('menuitem', { name: 'Applause' }).click();
      await ada.getByRole('status').filter({ hasText: '👏' }).waitFor();
      await ada.getByRole('status').filter({ hasText: '👏' }).waitFor({ state: 'detached' });
    });

    it('mutes everybody else and lowers all hands at once', async () => {
      await press(ada, 'React');
      await ada.getByRole('menuitem', { name: 'Raise hand' }).click();
      await press(ben, 'Show chat');
      await ben.getByRole('tab', { name: /^People/ }).click();
      await ben.getByRole('button', { name: 'Lower all hands' }).waitFor();
      expect(await inspectPage(ben, 'call-host-actions', 'each')).toEqual([]);
      expect(await ada.getByRole('button', { name: 'Mute all' }).count()).toBe(0);
      // It is asked first, and nobody is muted before.
      await press(ben, 'Mute all');
      const question = ben.getByRole('alertdialog', { name: 'Mute everyone?' });
      await question.getByText('They can unmute themselves.').waitFor();
      expect(await inspectPage(ben, 'call-mute-all', 'each')).toEqual([]);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
      // What could not be done is said.
      await ben.route(/\/calls\/active\/mute$/, (route) =>
        route.fulfill({ status: 200, json: { failed: ['part_00000000000000000000000000'] } }),
      );
      await press(ben, 'Mute all');
      await question.getByRole('button', { name: 'Mute all' }).click();
      await ben.getByText('1 person couldn’t be muted. Try again.').waitFor();
      await ben.unroute(/\/calls\/active\/mute$/);
      await press(ben, 'Mute all');
      await question.getByRole('button', { name: 'Mute all' }).click();
      await ada.getByText('ben muted you.').waitFor();
      await ben.getByText('Everyone else is muted. They can unmute themselves.').waitFor();
      await press(ada, 'Unmute');
      await press(ben, 'Lower all hands');
      await ada.getByRole('button', { name: 'React', exact: true }).waitFor();
      await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
      await press(ben, 'Hide chat');
    });

    it('appoints a co-host, who may change who can join, and removes the role', async () => {
      await press(ben, 'Show chat');
      await ben.getByRole('tab', { name: /^People/ }).click();
      await press(ben, 'More about ada');
      await ben.getByRole('menuitem', { name: 'Make co-host' }).click();
      await ben.getByText('Co-host', { exact: true }).waitFor();
      await ada.getByText('You are a co-host now.').waitFor();
      await ada.getByRole('button', { name: /^Who can join/ }).click();
      await ada.getByRole('menu').waitFor();
      await ada.keyboard.press('Escape');
      // A co-host mutes the host, who reads who it was; there is nothing else that they can do to the host.
      await press(ada, 'Show chat');
      await ada.getByRole('tab', { name: /^People/ }).click();
      await press(ada, 'More about ben');
      expect(await ada.getByRole('menuitem').allInnerTexts()).toEqual(['Mute']);
      await ada.getByRole('menuitem', { name: 'Mute', exact: true }).click();
      await ben.getByText('ada muted you.').waitFor();
      await press(ben, 'Unmute');
      await press(ada, 'Hide chat');
      expect(await inspectPage(ben, 'call-co-host', 'each')).toEqual([]);
      await press(ben, 'More about ada');
      await ben.getByRole('menuitem', { name: 'Remove as co-host' }).click();
      await ben.getByText('Co-host', { exact: true }).waitFor({ state: 'detached' });
      await press(ben, 'Hide chat');
    });

    it('shows somebody who muted them, and not that they muted themselves', async () => {
      await press(ada, 'Mute');
      await ada.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
      expect(await ada.getByText(/muted you|You were muted/).count()).toBe(0);
      await press(ada, 'Unmute');
      await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
      await press(ben, 'Show chat');
      await ben.getByRole('tab', { name: /^People/ }).click();
      await press(ben, 'More about ada');
      await ben.getByRole('menuitem', { name: 'Mute', exact: true }).click();
      await ada.getByText('ben muted you.').waitFor();
      const row = ben.getByRole('list', { name: 'People' }).getByRole('listitem').filter({ hasText: 'ada' });
      await row.getByText('Muted').waitFor();
      await press(ben, 'More about ada');
      await ben.getByRole('menuitem', { name: 'Make co-host' }).waitFor();
      expect(await ben.getByRole('menuitem', { name: 'Mute', exact: true }).count()).toBe(0);
      await ben.keyboard.press('Escape');
      await press(ada, 'Unmute');
      await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
      await row.getByText('Muted').waitFor({ state: 'detached' });
      await press(ben, 'Hide chat');
    });

    it('shows somebody that they are the host now', async () => {
      for (const [from, to, name] of [
        [ben, ada, 'ada'],
        [ada, ben, 'ben'],
      ] as const) {
        await press(from, 'Show chat');
        await from.getByRole('tab', { name: /^People/ }).click();
        await press(from, `More about ${name}`);
        await from.getByRole('menuitem', { name: 'Make host' }).click();
        await from.getByRole('button', { name: 'Make host' }).click();
        await to.getByText('You are the host now.').waitFor();
        await press(from, 'Hide chat');
      }
    });

    it('opens a menu on mouse release, so that the release selects nothing, and closes it by another click', async () => {
      await ben.getByRole('button', { name: 'Devices' }).hover();
      await ben.mouse.down();
      expect(await ben.getByRole('menu').count()).toBe(0);
      await ben.mouse.up();
      await ben.getByRole('menu').waitFor();
      await press(ben, 'Devices');
      await ben.getByRole('menu').waitFor({ state: 'detached' });
      await ben.getByRole('button', { name: 'Devices' }).focus();
      await ben.keyboard.press('Enter');
      await ben.getByRole('menu').waitFor();
      await ben.keyboard.press('Escape');
      await ben.getByRole('menu').waitFor({ state: 'detached' });
    });

    it('continues with the selected microphone', async () => {
      const usedMicrophone = () =>
        ben.evaluate(async () => {
          const connections = (
            globalThis as unknown as {
              connections: { getSenders(): { track: { kind: string; label: string } | null }[] }[];
            }
          ).connections;
          const tracks = connections.flatMap((connection) => connection.getSenders().map(({ track }) => track));
          return tracks.find((track) => track?.kind === 'audio')?.label;
        });
      const before = await usedMicrophone();
      await press(ben, 'Devices');
      const others = ben.getByRole('menuitemradio', { checked: false }).filter({ hasText: /Fake Audio Input/ });
      const expected_label = await others.last().innerText();
      await others.last().click();
      await poll(async () => (await usedMicrophone()) !== before, 'the other microphone');
      expect(await usedMicrophone()).toBe(expected_label.trim());
      const { energy } = await receivedMedia(ada);
      await poll(async () => (await receivedMedia(ada)).energy > energy + 0.001, 'audio of the other microphone');
    });

    it('undoes leaving with the same devices, and says who has left and how long the call was', async () => {
      await press(ada, 'Mute');
      await ada.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
      await press(ada, 'Leave');
      await ada.getByText('You left the call.').waitFor();
      const left = ben.getByRole('list', { name: 'Not joining' }).getByText('ada left the call');
      await left.waitFor();
      expect(await inspectPage(ben, 'call-alone', 'each')).toEqual([]);
      // On a phone, the button that dismisses a notice is beside it.
      await ben.setViewportSize(sizes.phone);
      const [words, dismiss] = [
        await left.boundingBox(),
        await ben.getByRole('button', { name: 'Dismiss ada' }).boundingBox(),
      ];
      expect(Math.abs(words!.y + words!.height / 2 - dismiss!.y - dismiss!.height / 2)).toBeLessThan(8);
      await ben.setViewportSize(sizes.desk);
      await press(ada, 'Undo');
      await ada.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
      await left.waitFor({ state: 'detached' });
      await press(ben, 'End for all');
      await ben.getByRole('alertdialog').getByRole('button', { name: /End/ }).click();
      await ada.getByRole('heading', { name: 'The call is over' }).waitFor();
      await ada.getByText(/^You talked for \d+:\d\d\.$/).waitFor();
      expect(await inspectPage(ada, 'call-over', 'each')).toEqual([]);
      await press(ada, 'Call again');
      await ben.getByText('@ada is calling you').waitFor();
      await press(ada, 'Leave');
      await ring(ben).waitFor({ state: 'detached' });
    });
  });
});
