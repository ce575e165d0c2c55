/**
 * A guest without an account, who joins a call by its link: requests admission, waits, is admitted, seen and heard, and
 * leaves.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { inspectPage } from '../../browser/page-checks.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  openTwoPeople,
  missing_browser,
  receivedMedia,
  sizes,
} from '../../browser/windows.ts';
import { describeStory } from '../../../../testing/story.ts';

describeStory(missing_browser, 'guests of a call by its link', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let gina: Page;
  let join_code = '';
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    gina = await windows.open('phone');
  });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const chooseAccess = async (choice: RegExp) => {
    await press(ada, /^Who can join/);
    const changed = ada.waitForResponse((response) => response.request().method() === 'PATCH');
    await ada.getByRole('menuitemradio', { name: choice }).click();
    await ada.getByRole('menu').waitFor({ state: 'detached' });
    // A guest asks for the new state right away.
    await changed;
  };
  const requestAdmission = async (name: string) => {
    await gina.goto(`${service.url}/j/${join_code}`);
    await gina.getByLabel('Your name').fill(name);
    await press(gina, 'Ask to join');
    await gina.getByRole('heading', { name: 'Waiting to be let in' }).waitFor();
  };

  it('must sign in until the host permits guests', async () => {
    await areaLink(ada, /^Call$/).click();
    await press(ada, 'New room');
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    join_code = ada.url().split('/').at(-1) ?? '';
    await gina.goto(`${service.url}/j/${join_code}`);
    await gina.getByRole('heading', { name: 'This link needs an account' }).waitFor();
    expect(await inspectPage(gina, 'guest-refused', 'each')).toEqual([]);
    // Who has opened a room is told what its link is worth, and changes it with one press.
    await ada.getByText('Share the link, and people with an account can join.').waitFor();
    await press(ada, 'Let guests ask');
    await ada.getByText('Share the link, and others can join.').waitFor();
    expect(await inspectPage(ada, 'call-room-link', 'each')).toEqual([]);
    await gina.reload();
    await gina.getByRole('heading', { name: 'ada invites you' }).waitFor();
    await gina.getByLabel('Microphone level').waitFor();
    expect(await inspectPage(gina, 'guest-ask', 'each')).toEqual([]);
  });

  it('wait for admission, and are told when it is declined', async () => {
    // A person with an account who was not called requests admission like others.
    await chooseAccess(/^Private/);
    await ben.goto(`${service.url}/j/${join_code}`);
    await ben.getByRole('link', { name: 'Ask to join as a guest' }).waitFor();
    await requestAdmission('Gina');
    expect(await inspectPage(gina, 'guest-waiting', 'each')).toEqual([]);
    await ada.getByRole('list', { name: 'Who asks to join' }).getByText('Gina asks to join').waitFor();
    expect(await inspectPage(ada, 'call-guest-asks', 'each')).toEqual([]);
    await press(ada, 'Decline Gina');
    await gina.getByRole('heading', { name: /You weren’t let in|You aren’t in this call/ }).waitFor();
    await expect.poll(() => ada.getByText('Gina asks to join').count()).toBe(0);
    await press(gina, 'Try again');
    await gina.getByRole('heading', { name: 'ada invites you' }).waitFor();
  });

  it('withdraw from the waiting room, and disappear from the list of the host', async () => {
    await requestAdmission('Gina Grey');
    await ada.getByText('Gina Grey asks to join').waitFor();
    await press(gina, 'Cancel');
    await gina.getByRole('heading', { name: 'ada invites you' }).waitFor();
    await expect.poll(() => ada.getByText('Gina Grey asks to join').count()).toBe(0);
  });

  it('are declined together', async () => {
    await gina.evaluate('sessionStorage.clear()');
    await requestAdmission('Gina Gold');
    const ida = await windows.open('desk');
    await ida.goto(`${service.url}/j/${join_code}`);
    await ida.getByLabel('Your name').fill('Ida');
    await press(ida, 'Ask to join');
    await ada.getByText('Ida asks to join').waitFor();
    await press(ada, 'Decline all');
    for (const page of [gina, ida])
      await page.getByRole('heading', { name: /You weren’t let in|You aren’t in this call/ }).waitFor();
    await expect.poll(() => ada.getByText(/asks to join/).count()).toBe(0);
  });

  it('are listed while their page is open', async () => {
    const hugo = await windows.open('desk');
    await hugo.goto(`${service.url}/j/${join_code}`);
    await hugo.getByLabel('Your name').fill('Hugo');
    await press(hugo, 'Ask to join');
    await ada.getByText('Hugo asks to join').waitFor();
    // He is present for half a minute more: the last test waits until he has disappeared.
    await hugo.goto('about:blank');
  });

  it('are seen and heard once they are admitted, also after a reload', async () => {
    await gina.evaluate('sessionStorage.clear()');
    await requestAdmission('Gina Green');
    await press(ada, 'Admit Gina Green');
    await gina.getByRole('button', { name: 'Leave' }).waitFor();
    await ada.locator('.tile', { hasText: 'Gina Green' }).waitFor();
    await gina.locator('.tile', { hasText: 'ada' }).waitFor();
    await press(gina, 'Start camera');
    const before = await receivedMedia(ada);
    await poll(async () => {
      const { frames, energy } = await receivedMedia(ada);
      return frames > before.frames && energy > before.energy;
    }, 'the guest’s video and audio');
    expect(await inspectPage(gina, 'guest-call', 'each')).toEqual([]);
    await gina.reload();
    // With the camera and the microphone as they were.
    for (const name of ['Stop camera', 'Mute']) await gina.getByRole('button', { name, exact: true }).waitFor();
    await ada.locator('.tile', { hasText: 'Gina Green' }).waitFor();
  });

  it('come back without asking again when they could not be connected', async () => {
    const error = { code: 'bad_request', message: 'The request is not valid.' };
    await gina.route(/\/sfu-grant$/, (route) => route.fulfill({ status: 400, json: { error } }));
    await gina.reload();
    await gina.getByRole('heading', { name: 'You couldn’t be connected' }).waitFor();
    await gina.unroute(/\/sfu-grant$/);
    await press(gina, 'Try again');
    await gina.getByRole('button', { name: 'Leave' }).waitFor();
    await ada.locator('.tile', { hasText: 'Gina Green' }).waitFor();
  });

  const messageIn = (page: Page, text: string | RegExp) =>
    page.getByRole('log', { name: 'Chat' }).getByRole('listitem').filter({ hasText: text });
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await press(page, 'Send');
  };
  const choose = async (page: Page, text: string, act: string | RegExp) => {
    await messageIn(page, text).hover();
    await page.getByRole('button', { name: `More about “${text}”` }).click();
    await page.getByRole('menuitem', { name: act }).click();
  };

  it('write in the chat of the call and read it, from when they were admitted', async () => {
    await press(gina, 'Show chat');
    await gina.getByText('Everyone in the call can read this chat.').waitFor();
    const requests: string[] = [];
    gina.on('request', (request) => {
      if (request.method() === 'GET' && /\/v1\/calls\//.test(request.url())) requests.push(request.url());
    });
    if (!(await ada.getByRole('log', { name: 'Chat' }).isVisible())) await press(ada, 'Show chat');
    await write(gina, 'Good evening from Gina');
    await messageIn(gina, 'Good evening from Gina').waitFor();
    await messageIn(ada, /Gina Green · Guest.*Good evening from Gina/s).waitFor();
    await write(ada, 'Welcome');
    await messageIn(gina, 'Welcome').waitFor();
    expect(await inspectPage(gina, 'guest-chat', 'each')).toEqual([]);
    // Typing is shown to the other side, and messages that arrive while the chat is closed are counted on its button.
    const seesTyping = async (page: Page, text: string, typing: Page) => {
      await typing.getByRole('textbox', { name: 'Message' }).press('m');
      return page.getByText(text).count();
    };
    await expect.poll(() => seesTyping(gina, 'ada is typing…', ada)).toBe(1);
    await expect.poll(() => seesTyping(ada, 'Gina Green is typing…', gina)).toBe(1);
    await gina.getByRole('textbox', { name: 'Message' }).fill('');
    await press(gina, 'Hide chat');
    await gina.getByRole('log', { name: 'Chat' }).waitFor({ state: 'hidden' });
    await write(ada, 'And good evening to you');
    await press(gina, 'Show chat, 1 new message');
    await messageIn(gina, 'And good evening to you').waitFor();
    // All of it was delivered by the stream, without polling.
    expect(requests).toEqual([]);
  });

  it('reply, react, edit and delete their own messages; and participants report their messages', async () => {
    await choose(gina, 'Welcome', 'Reply');
    await write(gina, 'Thank you all');
    await messageIn(ada, /Thank you all/)
      .getByRole('button', { name: /In reply to.*Welcome/s })
      .waitFor();
    await messageIn(ada, 'Thank you all').hover();
    await ada.getByRole('button', { name: 'More about “Thank you all”' }).click();
    await ada.getByRole('menuitemradio', { name: 'Heart' }).click();
    const heart = (page: Page) => messageIn(page, 'Thank you all').getByRole('button', { name: /❤️/ });
    await heart(gina).click();
    await expect.poll(() => heart(ada).textContent()).toBe('❤️2');
    expect(await heart(gina).getAttribute('aria-pressed')).toBe('true');
    expect(await inspectPage(ada, 'call-chat-acts', 'each')).toEqual([]);
    await choose(gina, 'Thank you all', 'Edit');
    await gina.getByRole('textbox', { name: 'Message' }).fill('Thank you both');
    await press(gina, 'Save');
    await messageIn(ada, 'Thank you both').getByRole('button', { name: 'Edited' }).click();
    const sheet = ada.getByRole('dialog', { name: 'Earlier versions' });
    await sheet.getByText('Thank you all', { exact: true }).waitFor();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await choose(ada, 'Good evening from Gina', 'Report this message');
    await press(ada, 'Send report');
    await ada.getByText('Thanks for your report.').waitFor();
    await choose(gina, 'Good evening from Gina', 'Delete');
    await press(gina, 'Delete');
    await messageIn(ada, 'Message deleted').waitFor();
    await press(gina, 'Hide chat');
  });

  it('choose their devices and effects, and see the reactions of others', async () => {
    await press(gina, 'Devices');
    await gina.getByRole('menuitemcheckbox', { name: 'Noise suppression' }).waitFor();
    await gina.getByRole('menuitemradio', { name: /^Fake Default Audio Input/ }).waitFor();
    expect(await inspectPage(gina, 'guest-devices', 'each')).toEqual([]);
    await gina.getByRole('menuitem', { name: 'Close' }).click();
    await press(ada, 'React');
    await ada.getByRole('menuitem', { name: 'Applause' }).click();
    await gina.locator('.tile-reaction').getByText('👏').waitFor();
  });

  it('raise and lower their hand, which hosts lower, and react', async () => {
    const chooseReaction = async (name: string) => {
      await gina.getByRole('button', { name: /^(React|Hand raised)$/ }).click();
      await gina.getByRole('menuitem', { name }).click();
    };
    const hand = ada.locator('.tile', { hasText: 'Gina Green' }).getByText('Hand raised');
    await chooseReaction('Raise hand');
    await hand.waitFor();
    await chooseReaction('Lower hand');
    await hand.waitFor({ state: 'detached' });
    await ada.getByRole('tab', { name: /^People/ }).click();
    for (const lower of ['Lower the hand of Gina Green', 'Lower all hands']) {
      await chooseReaction('Raise hand');
      await press(ada, lower);
      await gina.getByRole('button', { name: 'React', exact: true }).waitFor();
      await hand.waitFor({ state: 'detached' });
    }
    await chooseReaction('Celebrate');
    await ada.locator('.tile', { hasText: 'Gina Green' }).locator('.tile-reaction').getByText('🎉').waitFor();
  });

  it('choose the layout, pin, and see who is there, without what needs an account or is for hosts', async () => {
    // A call of two looks the same in both layouts.
    await ben.getByRole('link', { name: 'Ask to join as a guest' }).click();
    await ben.getByLabel('Your name').fill('Benno');
    await press(ben, 'Ask to join');
    // On a phone, too, where the chat covers the tiles.
    await ada.setViewportSize(sizes.phone);
    const chat = ada.getByRole('tab', { name: 'Chat' });
    if (!(await chat.isVisible())) await press(ada, 'Show chat');
    await chat.click();
    await press(ada, 'Admit Benno');
    await chat.click();
    await ada.setViewportSize(sizes.desk);
    if (!(await chat.isVisible())) await press(ada, 'Show chat');
    const names = ['ada', 'Benno', 'Gina Green'];
    const tile = (name: string) => gina.locator('.tile', { hasText: name });
    /** The parts of the stage that the tiles cover, of that of the largest. */
    const readShares = async () => {
      const boxes = await Promise.all(names.map((name) => tile(name).boundingBox()));
      const areas = boxes.map((box) => (box?.width ?? 0) * (box?.height ?? 0));
      return Object.fromEntries(names.map((name, at) => [name, (areas[at] ?? 0) / Math.max(...areas)]));
    };
    // The button is there while the pointer is on its tile.
    const pressOnTile = async (name: string) => {
      await tile(name.replace(/^(Pin|Unpin) /, '')).hover();
      await press(gina, name);
    };
    const showsAlone = (name: string) =>
      poll(async () => {
        const shares = await readShares();
        return names.every((one) => (one === name ? shares[one] === 1 : (shares[one] ?? 1) < 0.4));
      }, `${name} to be large alone`);
    await tile('Benno').waitFor();
    await poll(async () => Object.values(await readShares()).every((share) => share > 0.9), 'a gallery');
    await press(gina, 'More about this call');
    await gina.getByRole('menuitemradio', { name: 'Gallery', checked: true }).waitFor();
    expect(await inspectPage(gina, 'guest-menu', 'each')).toEqual([]);
    // Neither recording, ending or sharing the chat nor the page that tests devices, which needs an account.
    expect(await gina.getByRole('menuitem').allInnerTexts()).toEqual([
      'Copy join link',
      'Full screen',
      ...(await gina.getByRole('menuitem', { name: 'Picture in picture' }).allInnerTexts()),
      'Keyboard shortcuts',
    ]);
    await gina.getByRole('menuitemradio', { name: 'Speaker view' }).click();
    await gina.getByRole('menu').waitFor({ state: 'detached' });
    await poll(async () => Object.values(await readShares()).filter((share) => share < 0.4).length === 2, 'a speaker');
    expect(await inspectPage(gina, 'guest-speaker', 'each')).toEqual([]);
    await pressOnTile('Pin Gina Green (you)');
    await showsAlone('Gina Green');
    await pressOnTile('Unpin Gina Green (you)');
    await press(gina, 'Show chat');
    await gina.getByRole('tab', { name: /^People/ }).click();
    const people = gina.getByRole('list', { name: 'People', exact: true });
    await people.getByRole('listitem').filter({ hasText: 'Gina Green (you)' }).getByText('Guest').waitFor();
    await people.getByRole('listitem').filter({ hasText: 'ada' }).getByText('Host').waitFor();
    expect(await gina.locator('.call-people').getByRole('button').count()).toBe(0);
    expect(await inspectPage(gina, 'guest-people', 'each')).toEqual([]);
    await press(ben, 'Leave');
    await people.getByRole('listitem').filter({ hasText: 'Benno' }).getByText('Left').waitFor();
    expect(await gina.locator('.call-people').getByRole('button').count()).toBe(0);
    await gina.getByRole('tab', { name: 'Chat' }).click();
    await press(gina, 'Hide chat');
  });

  it('read why a device was refused, and try again', async () => {
    const refuse = (name: string) =>
      gina.evaluate(`(() => {
        const { mediaDevices } = navigator;
        window.allowed ??= mediaDevices.getUserMedia.bind(mediaDevices);
        mediaDevices.getUserMedia = async () => { throw new DOMException('No.', '${name}'); };
      })()`);
    await press(gina, 'Stop camera');
    await refuse('NotAllowedError');
    await press(gina, 'Start camera');
    await gina.getByRole('alert').getByText('Your browser doesn’t let Asterism use the camera.').waitFor();
    // Who has no camera goes on without the notice.
    const notice = gina.getByRole('alert').filter({ hasText: 'Your browser doesn’t let' });
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    await refuse('NotReadableError');
    await press(gina, 'Start camera');
    await gina.getByRole('alert').getByText('Another program is using the camera.').waitFor();
    await press(gina, 'Try again');
    await gina.getByRole('alert').getByText('Another program is using the camera.').waitFor();
    expect(await inspectPage(gina, 'guest-refused-device', 'each')).toEqual([]);
    await gina.evaluate('navigator.mediaDevices.getUserMedia = window.allowed');
    await press(gina, 'Try again');
    await gina.getByRole('button', { name: 'Stop camera', exact: true }).waitFor();
    expect(await gina.getByText('Another program is using the camera.').count()).toBe(0);
  });

  it('see a phone that is called, and cannot hang it up or call it again', async () => {
    const token = (await ada.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`)) as string;
    const phone = { number: '+493087654321', name: 'Gran' };
    const { status, body } = await service.call('POST /calls/active/bridge-phone', { token, body: phone });
    expect(status).toBe(201);
    const tile = gina.locator('.tile', { hasText: 'Gran' });
    await tile.getByRole('status').waitFor();
    expect(await tile.getByRole('button').count()).toBe(0);
    const { id } = body.participants.find(({ name }: { name: string }) => name === 'Gran');
    await service.call(`DELETE /calls/active/participants/${id}`, { token });
    // It has become a phone that can be dismissed, by whoever looks at it.
    await gina.getByRole('button', { name: 'Dismiss Gran' }).click();
    await tile.waitFor({ state: 'detached' });
  });

  it('are asked for consent before they are recorded', async () => {
    await press(ada, 'More about this call');
    await ada.getByRole('menuitem', { name: /Record/ }).click();
    await press(gina, 'Don’t record me');
    await ada.getByText(/Gina Green isn’t recorded/).waitFor();
  });

  it('are muted by the host, and can unmute themselves', async () => {
    await ada.getByRole('tab', { name: /^People/ }).click();
    await press(ada, 'More about Gina Green');
    await ada.getByRole('menuitem', { name: 'Mute' }).click();
    await gina.getByText('ada muted you.').waitFor();
    // Beside a name that has no room, marks keep their size.
    const row = ada.getByRole('list', { name: 'People' }).getByRole('listitem').filter({ hasText: 'Gina Green' });
    await row.getByText('Muted').waitFor();
    const width_px = await row.evaluate((item) => {
      const { style } = item as unknown as { style: { width: string } };
      style.width = '7rem';
      const mark = (item as unknown as { querySelector(name: string): { clientWidth: number } }).querySelector('svg');
      const { clientWidth } = mark;
      style.width = '';
      return clientWidth;
    });
    expect(width_px).toBe(18);
    await press(gina, 'Unmute');
    await gina.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    expect(await inspectPage(ada, 'call-people', 'each')).toEqual([]);
  });

  it('leave, and are disconnected when the host ends the call', async () => {
    await ada.getByText('Hugo asks to join').waitFor({ state: 'detached', timeout: 40_000 });
    await press(gina, 'Leave');
    await gina.getByRole('heading', { name: 'You left the call' }).waitFor();
    await gina.evaluate('sessionStorage.clear()');
    await chooseAccess(/^Let guests in/);
    await gina.goto(`${service.url}/j/${join_code}`);
    await gina.getByLabel('Your name').fill('Gina again');
    await press(gina, 'Join');
    await gina.getByRole('button', { name: 'Leave' }).waitFor();
    await press(ada, 'End for all');
    await ada.getByRole('alertdialog').getByRole('button', { name: 'End call' }).click();
    await gina.getByRole('heading', { name: 'The call has ended' }).waitFor();
  });
});
