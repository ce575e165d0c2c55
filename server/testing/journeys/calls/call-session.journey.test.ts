/**
 * A call continues while the client is used otherwise: in a small window, beside text input, and without a second call.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Page, WebSocketRoute } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { signUp as signUpByApi, type RunningPerson } from '../../running/running-people.ts';
import { poll, type Service } from '../../running/running-service.ts';
import {
  areaLink,
  useBrowserWindows,
  createTag,
  openTwoPeople,
  missing_browser,
  receivedMedia,
  signUp,
  sizes,
  waitForHome,
  visit,
} from '../../browser/windows.ts';

describeStory(missing_browser, 'a call while the client is used for other things', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  let dara: RunningPerson;
  let ada_id: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }));
    await createTag(ada, 'evenings');
    dara = await signUpByApi(service, 'dara', '+14155550103');
    ada_id = (await service.call('GET /me', { token: await tokenOf(ada) })).body.id;
  });
  const tokenOf = (page: Page) =>
    page.evaluate(`JSON.parse(localStorage.getItem('asterism.session')).token`) as Promise<string>;
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const ring = (page: Page) => page.getByRole('region', { name: 'Incoming call' });
  const mini = (page: Page) => page.getByRole('region', { name: 'Your call' });
  const connectionCount = (page: Page) => page.evaluate('connections.length') as Promise<number>;
  async function callAda(token: string): Promise<{ join_code: string }> {
    const { status, body } = await service.call('POST /calls', { token, body: { to: [{ user_id: ada_id }] } });
    expect(status).toBe(201);
    return body;
  }
  const stateOf = async (token: string, join_code: string) => {
    const { body } = await service.call(`GET /calls/${join_code}`, { token });
    return body.participants.find(({ user }: { user: { id: string } | null }) => user?.id === ada_id)?.state as string;
  };

  /** Stores which elements a page animates from now on, and from which state. */
  const watchAnimations = (page: Page) =>
    page.evaluate(`{
      window.animated = [];
      const native = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        const [from] = frames;
        for (const name of ['clipPath', 'transform'])
          if (from[name] !== undefined) window.animated.push(this.className + ' ' + name + ' ' + from[name]);
        return native.call(this, frames, options);
      };
    }`);

  it('rings without taking the focus, and is declined by Alt+D', async () => {
    await areaLink(ada, /^Search$/).click();
    const field = ada.getByLabel('Search people and tags');
    await field.fill('blue');
    await callAda(dara.token);
    await ring(ada).getByText('@dara is calling you').waitFor();
    await ada.keyboard.type(' notes at nine');
    await ada.keyboard.press('Space');
    expect(await field.inputValue()).toBe('blue notes at nine ');
    expect(await ring(ada).count()).toBe(1);
    expect(await inspectPage(ada, 'ring-typing', 'each')).toEqual([]);
    await ada.keyboard.press('Alt+d');
    await ring(ada).waitFor({ state: 'detached' });
    await service.call('DELETE /calls/active', { token: dara.token });
  });

  it('accepts a second call by ending the first, and keeps both while they ring', async () => {
    const first = await callAda(dara.token);
    await ring(ada).getByText('@dara is calling you').waitFor();
    const second = await callAda(await tokenOf(ben));
    await ring(ada).getByText('ben is calling you, too.').waitFor();
    expect(await ring(ada).count()).toBe(1);
    await ada.emulateMedia({ reducedMotion: 'no-preference' });
    await watchAnimations(ada);
    await press(ada, 'Accept');
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    // The ring grows into the stage, and then into the tile of the caller, and its face moves along.
    const animated = (await ada.evaluate('window.animated')) as string[];
    expect(animated.filter((one) => one.startsWith('call-skeleton-stage clipPath inset('))).not.toEqual([]);
    const moves = animated.filter((one) => one.startsWith('av avatar transform translate('));
    expect(moves).not.toEqual([]);
    // Both are clipped, so that a browser animates both in the same thread and none runs ahead of the other.
    expect(animated.filter((one) => one === 'av avatar clipPath inset(-50%)')).toHaveLength(moves.length);
    await ada.emulateMedia({ reducedMotion: 'reduce' });
    await ring(ada).getByText('@ben is calling you').waitFor();
    expect(await inspectPage(ada, 'call-second-ring', 'each')).toEqual([]);
    await press(ada, 'End and accept');
    await expect.poll(() => stateOf(dara.token, first.join_code)).toBe('left');
    await expect.poll(async () => stateOf(await tokenOf(ben), second.join_code)).toBe('joined');
    await ada.getByRole('heading', { name: 'With ben' }).waitFor();
    await service.call('DELETE /calls/active', { token: dara.token });
  });

  it('continues in a small window on another page, with the same connection', async () => {
    await ben.goto(`${service.url}/app/`);
    await waitForHome(ben);
    await ben.getByRole('link', { name: 'Return' }).click();
    await ben.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await poll(async () => (await receivedMedia(ada)).energy > 0, 'the voice of ben');
    const before = await connectionCount(ada);
    const shown_before = new URL(ada.url()).pathname;
    await press(ada, 'Small window');
    await mini(ada).waitFor();
    expect(new URL(ada.url()).pathname).not.toBe(shown_before);
    await areaLink(ada, /^Chats/).click();
    await mini(ada)
      .getByText(/^\d+:\d\d$/)
      .waitFor();
    // Also at an address that no page has.
    await visit(ada, `${service.url}/app/nowhere`);
    await ada.getByRole('heading', { name: 'Page not found' }).waitFor();
    const { energy } = await receivedMedia(ada);
    await poll(async () => (await receivedMedia(ada)).energy > energy, 'the voice to continue');
    expect(await inspectPage(ada, 'call-mini', 'each')).toEqual([]);
    await mini(ada).getByRole('button', { name: 'Mute' }).click();
    await ben.getByText('Muted: ').first().waitFor();
    await ada.keyboard.press('Control+d');
    await mini(ada).getByRole('button', { name: 'Mute' }).waitFor();
    await mini(ada).getByRole('link', { name: 'Back to the call' }).click();
    await ada.getByRole('heading', { name: 'With ben' }).waitFor();
    expect(await connectionCount(ada)).toBe(before);
  });

  it('asks for confirmation before a reload, and lists its keyboard shortcuts', async () => {
    const dialogs: string[] = [];
    ada.once('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.dismiss();
    });
    await ada.evaluate('void setTimeout(() => location.reload())');
    await expect.poll(() => dialogs).toEqual(['beforeunload']);
    await ada.getByRole('heading', { level: 1 }).click();
    await ada.keyboard.press('Shift+?');
    await ada.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Hold to talk while muted').waitFor();
    expect(await inspectPage(ada, 'call-keys')).toEqual([]);
    await ada.keyboard.press('Escape');
    await ada.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shows that the network is gone', async () => {
    await ada.context().setOffline(true);
    await ada.getByText('You are offline. The call comes back when your network does.').waitFor();
    await ada.context().setOffline(false);
    await ada.getByText('You are offline.').waitFor({ state: 'detached' });
  });

  it('follows the pointer that drags the small window, and moves into the nearest corner', async () => {
    await press(ben, 'Small window');
    await mini(ben).waitFor();
    const boxOf = async () => (await mini(ben).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const before = await boxOf();
    const drag = async (x: number, y: number) => {
      const { x: left, y: top } = await boxOf();
      await ben.mouse.move(left + 40, top + 60);
      await ben.mouse.down();
      await ben.mouse.move(left + 40 + x, top + 60 + y, { steps: 4 });
    };
    await drag(-60, 70);
    const held = await boxOf();
    expect([held.x - before.x, held.y - before.y].map(Math.round)).toEqual([-60, 70]);
    await ben.mouse.up();
    await expect.poll(boxOf).toEqual(before);
    await drag(-before.x + 20, 500);
    await ben.mouse.up();
    const corner = await boxOf();
    expect(Math.round(corner.x)).toBe(Math.round(sizes.phone.width - before.x - before.width));
    expect(corner.y + corner.height / 2).toBeGreaterThan(sizes.phone.height / 2);
    await mini(ben).getByRole('link', { name: 'Back to the call' }).click();
    await ben.getByRole('button', { name: 'Small window' }).waitFor();
  });

  it('can be left from the small window, also on a phone', async () => {
    await press(ben, 'Small window');
    await mini(ben).waitFor();
    expect(await inspectPage(ben, 'call-mini-phone', 'each')).toEqual([]);
    await mini(ben).getByRole('button', { name: 'Leave the call' }).click();
    await mini(ben).waitFor({ state: 'detached' });
    await waitForHome(ben);
    await press(ada, 'Leave');
    await waitForHome(ada);
  });

  it('turns a device off at once whose page was left while the browser asked for permission', async () => {
    await ben.evaluate(`{
      const native = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      globalThis.asked = [];
      globalThis.permitted = [];
      navigator.mediaDevices.getUserMedia = (wanted) =>
        new Promise((resolve) => {
          asked.push(async () => {
            const stream = await native(wanted);
            permitted.push(...stream.getTracks());
            resolve(stream);
          });
        });
    }`);
    await areaLink(ben, /^You/).click();
    await ben.getByRole('link', { name: 'Audio and video' }).click();
    await ben.getByRole('button', { name: 'Camera off' }).click();
    await expect.poll(() => ben.evaluate('asked.length')).toBe(2);
    await areaLink(ben, /^Home/).click();
    await waitForHome(ben);
    await ben.evaluate('Promise.all(asked.map((permit) => permit()))');
    const states = () => ben.evaluate('permitted.map(({ kind, readyState }) => kind + " " + readyState).sort()');
    await expect.poll(states).toEqual(['audio ended', 'video ended']);
    // The next call begins without a camera.
    await ben.evaluate(`localStorage.removeItem('asterism.calls')`);
  });

  it('creates a room whose link admits others, and moves a call between windows of one person', async () => {
    await areaLink(ada, /^Call/).click();
    await press(ada, 'New room');
    await ada.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await ada.getByRole('button', { name: 'Add people' }).click();
    await ada.getByText('Type a name.').waitFor();
    expect(await ada.locator('.field-error').count()).toBe(0);
    await press(ada, 'Close');
    // Who waits alone gets the link, until somebody has come.
    const hint = ada.getByText('Share the link, and people with an account can join.');
    await hint.waitFor();
    await ada.getByRole('button', { name: 'Copy link' }).waitFor();
    const join_code = new URL(ada.url()).pathname.split('/').at(-1);
    await ben.goto(`${service.url}/app/j/${join_code}`);
    await press(ben, 'Join');
    await ben.getByRole('heading', { name: 'With ada' }).waitFor();
    await ada.getByText('2 people in this call').waitFor();
    await hint.waitFor({ state: 'detached' });
    // Joining in another window moves the call there.
    const other = await ben.context().newPage();
    await other.setViewportSize(sizes.desk);
    // What is on there stays on, and what is off stays off.
    await press(ben, 'Mute');
    await press(ben, 'Start camera');
    await ben.getByRole('button', { name: 'Stop camera' }).waitFor();
    // Somebody who has left is not among those one is in a call with.
    await service.call(`POST /calls/${join_code}/sfu-grant`, { token: dara.token, body: {} });
    await service.call(`POST /calls/${join_code}/leave`, { token: dara.token });
    await other.goto(`${service.url}/app/`);
    await other.getByText('You are in a call with ada', { exact: true }).waitFor();
    await other.getByRole('link', { name: 'Return' }).click();
    await ben.getByRole('heading', { name: 'Your call is on another device' }).waitFor();
    await other.getByRole('button', { name: 'Stop camera' }).waitFor();
    await other.getByRole('button', { name: 'Unmute', exact: true }).click();
    await other.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await press(other, 'Stop camera');
    await other.getByRole('button', { name: 'Start camera' }).waitFor();
    await press(ben, 'Continue here');
    await other.getByRole('heading', { name: 'Your call is on another device' }).waitFor();
    await ben.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await ben.getByRole('button', { name: 'Start camera' }).waitFor();
  });

  it('keeps the screen on, and talks while the space bar is held', async () => {
    await ben.addInitScript(`{
      globalThis.screen_locks = [];
      navigator.wakeLock.request = async (kind) => {
        screen_locks.push(kind);
        return { release: async () => screen_locks.push('released') };
      };
    }`);
    await ben.goto(ben.url());
    await press(ben, 'Mute');
    await ben.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    expect(await ben.evaluate('screen_locks')).toEqual(['screen']);
    // The button has the focus from the click, and is not pressed.
    await ben.keyboard.down('Space');
    await ben.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await ben.keyboard.up('Space');
    await ben.getByRole('button', { name: 'Unmute', exact: true }).waitFor();
    // One that the keyboard has reached is pressed.
    await ben.keyboard.press('Tab');
    await ben.keyboard.press('Shift+Tab');
    await ben.keyboard.press('Space');
    await ben.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  });

  it('shows the largest video of others in a window above all others, and says when there is none', async () => {
    const choose = async () => {
      await press(ben, 'More about this call');
      await ben.getByRole('menuitem', { name: 'Picture in picture' }).click();
    };
    await ben.evaluate(`{
      globalThis.pictures = 0;
      globalThis.shown = '';
      HTMLVideoElement.prototype.requestPictureInPicture = async function () {
        pictures += 1;
        shown = this.getAttribute('aria-label');
      };
    }`);
    // The reader's own picture is no reason for a window.
    await press(ben, 'Start camera');
    await ben.locator('.tiles video').first().waitFor();
    await choose();
    await ben.getByText('No one else is showing video right now.').waitFor();
    expect(await ben.evaluate('pictures')).toBe(0);
    await press(ada, 'Start camera');
    await ben.locator('.tiles video').nth(1).waitFor();
    await choose();
    await expect.poll(() => ben.evaluate('pictures')).toBe(1);
    expect(await ben.evaluate('shown')).toBe('ada');
    for (const page of [ada, ben]) {
      await press(page, 'Stop camera');
      await page.getByRole('button', { name: 'Start camera', exact: true }).waitFor();
    }
  });

  it('joins although the media server rejects the first connection', async () => {
    let attempts = 0;
    await ben.routeWebSocket(/\/rtc\b/, (socket) => {
      attempts += 1;
      if (attempts === 1) void socket.close({ code: 1011 });
      else socket.connectToServer();
    });
    await ben.goto(ben.url());
    await ben.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    expect(attempts).toBeGreaterThan(1);
  });

  it('comes back by itself with the network, and shows nobody as speaking or well connected meanwhile', async () => {
    const sockets = new Set<WebSocketRoute>();
    const restored = Promise.withResolvers<void>();
    let is_cut = false;
    await ben.routeWebSocket(/\/rtc\b/, async (socket) => {
      if (is_cut) await restored.promise;
      sockets.add(socket);
      socket.connectToServer();
    });
    await ben.goto(ben.url());
    await ben.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await ben.locator('[data-quality="good"]').first().waitFor({ state: 'attached' });
    is_cut = true;
    await ben.context().setOffline(true);
    for (const socket of sockets) await socket.close({ code: 1011 });
    await ben.getByText('The call comes back when your network does.').waitFor();
    const outdated = '[data-quality="good"], [data-speaking]';
    await expect.poll(() => ben.locator(outdated).count()).toBe(0);
    // The network is back, and the media server not yet.
    await ben.evaluate(`{
      globalThis.seen = { frames: 0, outdated: 0 };
      const look = () => {
        seen.frames += 1;
        seen.outdated += document.querySelectorAll('${outdated}').length;
        globalThis.looking = requestAnimationFrame(look);
      };
      look();
    }`);
    await ben.context().setOffline(false);
    await ben.getByText('The call comes back when your network does.').waitFor({ state: 'detached' });
    const { frames } = (await ben.evaluate('seen')) as { frames: number };
    await expect.poll(() => ben.evaluate('seen.frames')).toBeGreaterThan(frames + 100);
    expect(await ben.evaluate('cancelAnimationFrame(looking), seen.outdated')).toBe(0);
    restored.resolve();
    await ben.locator('[data-quality="good"]').first().waitFor({ state: 'attached' });
    const { energy } = await receivedMedia(ben);
    await poll(async () => (await receivedMedia(ben)).energy > energy, 'audio again');
  });

  it('offers to turn on the sound only when there is somebody to hear', async () => {
    const emil = await windows.open('phone');
    // A browser that plays no sound, and how often the button has appeared.
    await emil.addInitScript(`{
      globalThis.offers = 0;
      AudioContext.prototype.resume = () => new Promise(() => undefined);
      HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('No gesture', 'NotAllowedError'));
      Object.defineProperty(BaseAudioContext.prototype, 'state', { get: () => 'suspended' });
      new MutationObserver(() => (offers += document.querySelectorAll('.call-hear:not([style*="none"])').length)).observe(document, {
        subtree: true, childList: true, attributes: true, attributeFilter: ['style'] });
    }`);
    await signUp(service, emil, 'emil', '+14155550104');
    await areaLink(emil, /^Call/).click();
    await press(emil, 'New room');
    await emil.getByRole('button', { name: 'Mute', exact: true }).waitFor();
    await press(ben, 'Leave');
    await ben.goto(`${service.url}/app/j/${new URL(emil.url()).pathname.split('/').at(-1)}`);
    await ben.getByRole('button', { name: 'Join', exact: true }).waitFor();
    expect(await emil.evaluate('offers')).toBe(0);
    await press(ben, 'Join');
    await expect.poll(() => emil.evaluate('offers')).toBeGreaterThan(0);
  });
});
