/** Guests who wait for a call: the host admits all of them at once, and locks the call. */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { requestAs } from '../../running/running-people.ts';
import type { Service } from '../../running/running-service.ts';
import { missing_browser, sessionOf, signUp, useBrowserWindows } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'guests who wait for a call', () => {
  let service: Service;
  let ada: Page;
  let join_code: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
    ada = await windows.open('desk');
    await signUp(service, ada, 'ada', '+14155550101');
    const session = await sessionOf(ada);
    ({ join_code } = await requestAs(service, session, 'POST /calls', { to: [] }));
    await requestAs(service, session, 'PATCH /calls/active', { guests: 'ask' });
    await ada.goto(`${service.url}/app/call/${join_code}?microphone=off&camera=off`);
    await ada.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
  });

  it('are admitted together, by a button above them', async () => {
    const guests: Page[] = [];
    for (const name of ['Gina', 'Ida']) {
      const guest = await windows.open('phone');
      await guest.goto(`${service.url}/j/${join_code}`);
      await guest.getByLabel('Your name').fill(name);
      await guest.getByRole('button', { name: 'Ask to join' }).click();
      await ada.getByText(`${name} asks to join`).waitFor();
      guests.push(guest);
    }
    const waiting = ada.getByRole('list', { name: 'Who asks to join' }).getByRole('listitem');
    expect(await waiting.first().innerText()).toMatch(/^2 people ask to join\./);
    await ada.getByRole('button', { name: 'Admit all' }).click();
    for (const guest of guests) await guest.getByRole('button', { name: 'Leave', exact: true }).waitFor();
    await expect.poll(() => waiting.count()).toBe(0);
  });

  it('are not admitted while the call is locked, which its header says', async () => {
    const lock = async (label: string) => {
      await ada.getByRole('button', { name: /^Who can join/ }).click();
      await ada.getByRole('menuitemcheckbox', { name: /^Lock the call/ }).click();
      await ada.keyboard.press('Escape');
      await ada.getByRole('button', { name: `Who can join: ${label}` }).waitFor();
    };
    await lock('Locked');
    const guest = await windows.open('phone');
    await guest.goto(`${service.url}/j/${join_code}`);
    await guest.getByRole('heading', { name: 'This link needs an account' }).waitFor();
    await lock('Private');
    await guest.reload();
    await guest.getByLabel('Your name').waitFor();
  });
});
