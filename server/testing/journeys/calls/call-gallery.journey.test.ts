/**
 * Screenshots of the pages of a call, in addition to those of `gallery.page.test.ts`: before it, on its stage with
 * drawn cameras, after it, and for guests who request admission.
 */
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeStory } from '../../../../testing/story.ts';
import { freezePage, comparePage, compareAddress, signInAs } from '../../browser/gallery-pictures.ts';
import { fillService, type SampleData } from '../../browser/sample-data.ts';
import { joinCrowd } from '../../running/call-crowd.ts';
import { requestAs } from '../../running/running-people.ts';
import { poll, type Service } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, receivedMedia, sizes } from '../../browser/windows.ts';

/** Replaces a camera: a drawn face in front of a wall, always the same; the microphone is silent. */
const drawCamera = (hue: number) => `
  navigator.mediaDevices.getUserMedia = async ({ audio, video }) => {
    const tracks = [];
    if (video) {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
      const pen = canvas.getContext('2d');
      const draw = () => {
        pen.fillStyle = 'hsl(${hue} 45% 32%)';
        pen.fillRect(0, 0, 640, 360);
        pen.fillStyle = 'hsl(${hue} 50% 22%)';
        pen.fillRect(0, 270, 640, 90);
        pen.fillStyle = '#e8c3a0';
        pen.beginPath();
        pen.arc(320, 170, 70, 0, 7);
        pen.fill();
        pen.fillStyle = 'hsl(${hue + 180} 45% 45%)';
        pen.fillRect(220, 250, 200, 110);
      };
      draw();
      setInterval(draw, 100);
      tracks.push(...canvas.captureStream(10).getTracks());
    }
    if (audio) {
      const context = new AudioContext();
      tracks.push(...context.createMediaStreamDestination().stream.getTracks());
    }
    return new MediaStream(tracks);
  };
  navigator.mediaDevices.getDisplayMedia = () => navigator.mediaDevices.getUserMedia({ video: true });
  navigator.mediaDevices.enumerateDevices = async () => [];
  if (!localStorage.getItem('asterism.calls'))
    localStorage.setItem('asterism.calls', JSON.stringify({ microphone: false, camera: true }));
`;

type CallState = { participants: { id: string; name: string }[] };

/** The tiles with a picture of a camera. */
const count_videos = `[...document.querySelectorAll('.tile video')].filter(({ videoWidth }) => videoWidth > 0).length`;

/** The sizes of an icon among the controls and on a tile, and the controls that are cut off or overlap another. */
const measure_controls = `(() => {
  const icon = (svg) => svg.clientHeight - 2 * parseFloat(getComputedStyle(svg).paddingTop);
  const boxes = [...document.querySelectorAll('.call-controls > *')].map((button) => ({
    name: button.innerText,
    is_cut: button.scrollWidth > button.clientWidth,
    ...button.getBoundingClientRect().toJSON(),
  }));
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const misplaced = boxes.filter((box) => box.is_cut || box.left < 0 || box.right > innerWidth
    || box.bottom > innerHeight + 1 || boxes.some((other) => other !== box && overlap(box, other)));
  return {
    icon: icon(document.querySelector('.call-leave > svg')),
    mark: icon(document.querySelector('.tile-name > svg')),
    misplaced: misplaced.map(({ name }) => name),
  };
})()`;

describeStory(missing_browser, 'the gallery of calls', () => {
  let service: Service;
  let sample: SampleData;
  let ada: Page;
  let ben: Page;
  let dara: Page;
  let join_code: string;
  const windows = useBrowserWindows({ is_pictured: true });
  beforeAll(async () => {
    service = await windows.startService();
    sample = await fillService(service);
    [ada, ben, dara] = [await windows.open(), await windows.open(), await windows.open()];
    await ada.addInitScript(drawCamera(210));
    await ben.addInitScript(drawCamera(20));
    await dara.addInitScript(drawCamera(290));
    for (const [page, name] of [
      [ada, 'ada'],
      [ben, 'ben'],
      [dara, 'dara'],
    ] as const) {
      await freezePage(page);
      await signInAs(service, page, name);
    }
    ({ join_code } = await requestAs(service, sample.ben, 'POST /calls', {
      to: [],
      privacy: 'public',
      media: 'video',
    }));
    await requestAs(service, sample.ben, 'PATCH /calls/active', { guests: 'ask' });
  });

  /** How long they have talked, and the quality of their connections. */
  const changing = '.call-clock, [data-quality]';

  it('the lobby looks as before', async () => {
    expect(await compareAddress(ada, 'call-lobby', `${service.url}/app/j/${join_code}`)).toEqual([]);
  });

  it('the stage looks as before, as a gallery and with a speaker', async () => {
    const found: string[] = [];
    // They appear on the stage in this order.
    for (const page of [ben, dara, ada]) {
      await page.goto(`${service.url}/app/call/${join_code}?microphone=off&camera=on`);
      await page.getByRole('button', { name: 'Stop camera' }).waitFor();
    }
    for (const page of [ada, ben])
      await poll(async () => (await receivedMedia(page)).frames > 5, 'the video of the other');
    found.push(...(await comparePage(ada, 'call-gallery', { changing, is_quiet: false })));
    await ada.getByRole('button', { name: 'More about this call' }).click();
    await ada.getByRole('menuitemradio', { name: 'Speaker view' }).click();
    await ada.getByRole('menu').waitFor({ state: 'detached' });
    found.push(...(await comparePage(ada, 'call-speaker', { changing, is_quiet: false })));
    expect(found).toEqual([]);
  });

  it('a pinned tile beside pages of others and the own screen look as before', async () => {
    const found: string[] = [];
    // On a phone the small tiles have two pages. These people have names that no other has.
    const crowd = await joinCrowd(service, join_code, 5, 3);
    await ada.getByText('8 people in this call').waitFor();
    await ada.locator('.tile', { hasText: 'Dara Lind' }).getByRole('button', { name: /^Pin / }).focus();
    await ada.keyboard.press('Enter');
    await ada.getByRole('button', { name: 'Unpin Dara Lind' }).waitFor();
    await ada.getByRole('heading', { level: 1 }).click();
    found.push(...(await comparePage(ada, 'call-pinned', { changing, is_quiet: false })));
    await crowd.leave();
    await ada.getByText('3 people in this call').waitFor();
    await ada.getByRole('button', { name: 'Unpin Dara Lind' }).click();
    await ada.getByRole('button', { name: 'Share screen' }).click();
    await ada.getByText('Everyone in the call sees your screen.').waitFor();
    // Away from the tiles, whose buttons it would show.
    await ada.mouse.move(0, 0);
    await poll(async () => (await ben.locator('.tile').count()) === 4, 'the tile of the screen');
    found.push(...(await comparePage(ada, 'call-sharing', { changing, is_quiet: false })));
    await ada.getByRole('status').getByRole('button', { name: 'Stop sharing' }).click();
    expect(found).toEqual([]);
  });

  it('the controls of a call grow and wrap with large text', async () => {
    const measure = () => ada.evaluate<{ icon: number; mark: number; misplaced: string[] }>(measure_controls);
    for (const size of ['phone', 'desk'] as const) {
      await ada.setViewportSize(sizes[size]);
      const usual = await measure();
      await ada.evaluate(`document.documentElement.style.fontSize = '200%'`);
      const large = await measure();
      await ada.evaluate(`document.documentElement.style.fontSize = ''`);
      expect(large).toEqual({ icon: Math.min(2 * usual.icon, 32), mark: 2 * usual.mark, misplaced: [] });
    }
  });

  it('the stage of two with their chat looks as before', async () => {
    await dara.getByRole('button', { name: 'Leave', exact: true }).click();
    await ada.getByText('2 people in this call').waitFor();
    await ada.setViewportSize(sizes.desk);
    // Who has left is listed, and not counted.
    await ada.getByRole('tab', { name: 'People 2' }).waitFor();
    for (const [page, text] of [
      [ben, 'Does the pier still suit you at nine?'],
      [ada, 'Yes. I bring both lamps.'],
      [ben, 'Then I bring the trumpet.'],
    ] as const) {
      await page.getByLabel('Message').fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
      for (const reader of [ada, ben]) await reader.getByText(text, { exact: true }).waitFor();
    }
    await ada.getByRole('heading', { level: 1 }).click();
    expect(await comparePage(ada, 'call-pair', { changing, is_quiet: false })).toEqual([]);
  });

  /** Requests admission in the window of a guest. */
  async function ask(guest: Page, name: string): Promise<void> {
    await guest.getByLabel('Your name').fill(name);
    await guest.getByRole('button', { name: 'Ask to join' }).click();
    await guest.getByRole('heading', { name: 'Waiting to be let in' }).waitFor();
  }

  it('the pages of guests who request admission, wait, and are declined, and those of an ended call, look as before', async () => {
    const [guest, other] = [await windows.open(), await windows.open()];
    for (const page of [guest, other]) {
      await page.addInitScript(drawCamera(140));
      await freezePage(page);
    }
    const url = `${service.url}/app/g/${join_code}`;
    const found = await compareAddress(guest, 'call-guest', url);
    await ask(guest, 'Gina');
    found.push(...(await comparePage(guest, 'guest-waiting')));
    await requestAs(service, sample.ben, `DELETE /calls/${join_code}/guests`);
    await guest.getByRole('heading', { name: 'You weren’t let in' }).waitFor();
    found.push(...(await comparePage(guest, 'guest-declined')));
    await guest.evaluate('sessionStorage.clear()');
    await guest.goto(url);
    await ask(guest, 'Gina');
    await ben.getByRole('button', { name: 'Admit Gina' }).click();
    await guest.getByRole('button', { name: 'Leave', exact: true }).waitFor();
    await ben.getByRole('button', { name: 'Unmute', exact: true }).click();
    await ada.setViewportSize(sizes.phone);
    await ada.getByRole('button', { name: 'Show chat' }).click();
    await ada.getByRole('tab', { name: 'People 3' }).click();
    await poll(async () => (await ada.locator('.tile', { hasText: 'Muted' }).count()) === 2, 'one person unmuted');
    // On a phone the list covers the tiles, whose video starts once they are in view.
    await ada.setViewportSize(sizes.desk);
    await poll(async () => (await ada.evaluate(count_videos)) === 3, 'the video of everybody');
    found.push(...(await comparePage(ada, 'call-people', { changing, is_quiet: false })));
    const { participants } = (await requestAs(service, sample.ben, `GET /calls/${join_code}`)) as CallState;
    const gina = participants.find(({ name }) => name === 'Gina');
    await requestAs(service, sample.ben, `DELETE /calls/active/participants/${gina?.id}`);
    await guest.getByRole('heading', { name: 'You were removed from the call' }).waitFor();
    found.push(...(await comparePage(guest, 'guest-removed')));
    await other.goto(url);
    await ask(other, 'Olu');
    await requestAs(service, sample.ben, 'DELETE /calls/active');
    await other.getByRole('heading', { name: 'You aren’t in this call' }).waitFor();
    found.push(...(await comparePage(other, 'guest-ended')));
    await ada.getByRole('heading', { name: 'The call is over' }).waitFor();
    found.push(...(await comparePage(ada, 'call-ended', { changing: '.dead-end > p' })));
    await ada.getByRole('link', { name: 'See the call' }).click();
    await ada.waitForURL(/\/calls\/conf_/);
    await ada.getByRole('region', { name: 'People', exact: true }).getByText('Dara Lind').waitFor();
    expect(found).toEqual([]);
  });
});
