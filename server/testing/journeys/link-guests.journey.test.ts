/** Somebody without an account, who comes into a call by its link: asks, waits, is let in, seen and heard, and goes. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { inspectPage } from '../page-checks.ts';
import { poll, type Service } from '../running-service.ts';
import { areaLink, useBrowserWindows, openTwoPeople, missing_browser, receivedMedia } from '../windows.ts';
import { describeUnlessMissing } from '../../../tools/skip.ts';

describeUnlessMissing(missing_browser, 'guests of a call by its link', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let gina: Page;
  let join_code = '';
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    gina = await windows.open('phone');
    for (const page of [ada, gina]) page.setDefaultTimeout(15_000);
  }, 60_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const letGuests = async (choice: RegExp) => {
    await press(ada, /^Who can join/);
    await ada.getByRole('menuitemradio', { name: choice }).click();
    await ada.getByRole('menu').waitFor({ state: 'detached' });
  };
  const ask = async (name: string) => {
    await gina.goto(`${service.url}/j/${join_code}`);
    await gina.getByLabel('Your name').fill(name);
    await press(gina, 'Ask to join');
    await gina.getByRole('heading', { name: 'Waiting to be let in' }).waitFor();
  };

  it('are asked to sign in until the host lets them come', async () => {
    await areaLink(ada, /^Call$/).click();
    await press(ada, 'New room');
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    join_code = ada.url().split('/').at(-1) ?? '';
    await gina.goto(`${service.url}/j/${join_code}`);
    await gina.getByRole('heading', { name: 'This link needs an account' }).waitFor();
    expect(await inspectPage(gina, 'guest-refused', 'each')).toEqual([]);
    await letGuests(/^Ask me/);
    await gina.reload();
    await gina.getByRole('heading', { name: 'ada invites you' }).waitFor();
    await gina.getByLabel('How loud you are').waitFor();
    expect(await inspectPage(gina, 'guest-ask', 'each')).toEqual([]);
  });

  it('wait, and are told when they are not let in', async () => {
    // Who has an account and was not called asks like others.
    await letGuests(/^Private/);
    await ben.goto(`${service.url}/j/${join_code}`);
    await ben.getByRole('link', { name: 'Ask to join as a guest' }).waitFor();
    await ask('Gina');
    expect(await inspectPage(gina, 'guest-waiting', 'each')).toEqual([]);
    await ada.getByRole('list', { name: 'Who asks to join' }).getByText('Gina asks to join').waitFor();
    expect(await inspectPage(ada, 'call-guest-asks', 'each')).toEqual([]);
    await press(ada, 'Decline Gina');
    await gina.getByRole('heading', { name: /You were not let in|You are not in this call/ }).waitFor();
    await expect.poll(() => ada.getByText('Gina asks to join').count()).toBe(0);
  });

  it('withdraw from the waiting room, and disappear from the list of the host', async () => {
    await gina.evaluate('sessionStorage.clear()');
    await ask('Gina Grey');
    await ada.getByText('Gina Grey asks to join').waitFor();
    await press(gina, 'Cancel');
    await gina.getByRole('heading', { name: 'ada invites you' }).waitFor();
    await expect.poll(() => ada.getByText('Gina Grey asks to join').count()).toBe(0);
  });

  it('are seen and heard once they are let in, also after a reload', async () => {
    await gina.evaluate('sessionStorage.clear()');
    await ask('Gina Green');
    await press(ada, 'Admit Gina Green');
    await gina.getByRole('button', { name: 'Leave' }).waitFor();
    await ada.locator('.tile', { hasText: 'Gina Green' }).waitFor();
    await gina.locator('.tile', { hasText: 'ada' }).waitFor();
    await press(gina, 'Start camera');
    const before = await receivedMedia(ada);
    await poll(async () => {
      const { frames, energy } = await receivedMedia(ada);
      return frames > before.frames && energy > before.energy;
    }, 'the guest’s picture and sound');
    expect(await inspectPage(gina, 'guest-call', 'each')).toEqual([]);
    await gina.reload();
    await gina.getByRole('button', { name: 'Leave' }).waitFor();
    await ada.locator('.tile', { hasText: 'Gina Green' }).waitFor();
  });

  const lineIn = (page: Page, words: string | RegExp) =>
    page.getByRole('log', { name: 'Chat' }).getByRole('listitem').filter({ hasText: words });
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await press(page, 'Send');
  };
  const choose = async (page: Page, words: string, act: string | RegExp) => {
    await lineIn(page, words).hover();
    await page.getByRole('button', { name: `More about “${words}”` }).click();
    await page.getByRole('menuitem', { name: act }).click();
  };

  it('write in the chat of the call and read it, from when they came in', async () => {
    const asked: string[] = [];
    gina.on('request', (request) => {
      if (request.method() === 'GET' && /\/v1\/calls\//.test(request.url())) asked.push(request.url());
    });
    if (!(await ada.getByRole('log', { name: 'Chat' }).isVisible())) await press(ada, /^Chat/);
    await press(gina, 'Chat');
    await write(gina, 'Good evening from Gina');
    await lineIn(gina, 'Good evening from Gina').waitFor();
    await lineIn(ada, /Gina Green · Guest.*Good evening from Gina/s).waitFor();
    await write(ada, 'Welcome');
    await lineIn(gina, 'Welcome').waitFor();
    expect(await inspectPage(gina, 'guest-chat', 'each')).toEqual([]);
    // Who writes is seen by the other side, and what comes while the chat is closed is counted on its button.
    const seesTyping = async (page: Page, words: string, typing: Page) => {
      await typing.getByRole('textbox', { name: 'Message' }).press('m');
      return page.getByText(words).count();
    };
    await expect.poll(() => seesTyping(gina, 'ada is writing…', ada)).toBe(1);
    await expect.poll(() => seesTyping(ada, 'Gina Green is writing…', gina)).toBe(1);
    await gina.getByRole('textbox', { name: 'Message' }).fill('');
    await press(gina, 'Chat');
    await gina.getByRole('log', { name: 'Chat' }).waitFor({ state: 'hidden' });
    await write(ada, 'And good evening to you');
    await gina.getByRole('button', { name: /^Chat\s*1/ }).click();
    await lineIn(gina, 'And good evening to you').waitFor();
    // All of it came by the stream: nothing is asked for again and again.
    expect(asked).toEqual([]);
  });

  it('answer messages, react to them, edit and delete their own; and members report what they wrote', async () => {
    await choose(gina, 'Welcome', 'Reply');
    await write(gina, 'Thank you all');
    await lineIn(ada, /Thank you all/)
      .getByRole('button', { name: /In reply to.*Welcome/s })
      .waitFor();
    await lineIn(ada, 'Thank you all').hover();
    await ada.getByRole('button', { name: 'More about “Thank you all”' }).click();
    await ada.getByRole('menuitemradio', { name: 'Heart' }).click();
    const heart = (page: Page) => lineIn(page, 'Thank you all').getByRole('button', { name: /❤️/ });
    await heart(gina).click();
    await expect.poll(() => heart(ada).textContent()).toBe('❤️2');
    expect(await heart(gina).getAttribute('aria-pressed')).toBe('true');
    expect(await inspectPage(ada, 'call-chat-acts', 'each')).toEqual([]);
    await choose(gina, 'Thank you all', 'Edit');
    await gina.getByRole('textbox', { name: 'Message' }).fill('Thank you both');
    await press(gina, 'Save');
    await lineIn(ada, 'Thank you both').getByRole('button', { name: 'Edited' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Earlier versions' });
    await sheet.getByText('Thank you all', { exact: true }).waitFor();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await choose(ada, 'Good evening from Gina', 'Report this message');
    await press(ada, 'Send report');
    await ada.getByText('Thanks for your report.').waitFor();
    await choose(gina, 'Good evening from Gina', 'Delete');
    await press(gina, 'Delete');
    await lineIn(ada, 'Message deleted').waitFor();
    await press(gina, /^Chat/);
  });

  it('are asked before they are recorded', async () => {
    await press(ada, 'More about this call');
    await ada.getByRole('menuitem', { name: /Record/ }).click();
    await press(gina, 'Do not record me');
    await ada.getByText(/Gina Green is not recorded/).waitFor();
  });

  it('are muted by the host, and can speak again', async () => {
    await ada.getByRole('tab', { name: /^People/ }).click();
    await press(ada, 'More about Gina Green');
    await ada.getByRole('menuitem', { name: 'Mute' }).click();
    await press(gina, 'Unmute');
    await gina.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    expect(await inspectPage(ada, 'call-people', 'each')).toEqual([]);
  });

  it('leave, and are out when the host removes them or ends the call', async () => {
    await press(gina, 'Leave');
    await gina.getByRole('heading', { name: 'You left the call' }).waitFor();
    await gina.evaluate('sessionStorage.clear()');
    await letGuests(/^Let guests in/);
    await gina.goto(`${service.url}/j/${join_code}`);
    await gina.getByLabel('Your name').fill('Gina again');
    await press(gina, 'Join');
    await gina.getByRole('button', { name: 'Leave' }).waitFor();
    await press(ada, 'End for all');
    await ada.getByRole('alertdialog').getByRole('button', { name: 'End it' }).click();
    await gina.getByRole('heading', { name: /You are no longer in the call|You are not in this call/ }).waitFor();
  });
});
