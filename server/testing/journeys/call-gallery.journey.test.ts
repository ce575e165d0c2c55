/**
 * The pages of a call in pictures, as `gallery.page.test.ts` has the others: before it, on its stage with drawn cameras, after
 * it, and where a guest asks to come in.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../tools/skip.ts';
import { freezePage, comparePage, compareAddress, signInAs } from '../gallery-pictures.ts';
import { fillService, type LivedIn } from '../sample-data.ts';
import { requestAs } from '../running-people.ts';
import { poll, startService, type Service } from '../running-service.ts';
import { useBrowserWindows, missing_browser, receivedMedia } from '../windows.ts';

/** Takes the place of a camera: a drawn face before a wall, the same each time; the microphone is silent. */
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
  navigator.mediaDevices.enumerateDevices = async () => [];
  if (!localStorage.getItem('asterism.calls'))
    localStorage.setItem('asterism.calls', JSON.stringify({ microphone: false, camera: true }));
`;

describeUnlessMissing(missing_browser, 'the gallery of calls', () => {
  let service: Service;
  let lived: LivedIn;
  let ada: Page;
  let ben: Page;
  let dara: Page;
  let join_code: string;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await startService();
    lived = await fillService(service);
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
    ({ join_code } = await requestAs(service, lived.ben, 'POST /calls', { to: [], privacy: 'public', media: 'video' }));
    await requestAs(service, lived.ben, 'PATCH /calls/active', { guests: 'ask' });
  }, 120_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  /** How long they have talked, and how well they are connected. */
  const changing = '.call-clock, [data-quality]';

  it('looks as it did before one goes in', async () => {
    expect(await compareAddress(ada, 'call-lobby', `${service.url}/app/j/${join_code}`)).toEqual([]);
  });

  it('looks as it did on its stage, as a gallery and with a speaker', async () => {
    const found: string[] = [];
    // In this order they stand on the stage.
    for (const page of [ben, dara, ada]) {
      await page.goto(`${service.url}/app/call/${join_code}?microphone=off&camera=on`);
      await page.getByRole('button', { name: 'Stop camera' }).waitFor();
    }
    for (const page of [ada, ben])
      await poll(async () => (await receivedMedia(page)).frames > 5, 'the picture of the other');
    found.push(...(await comparePage(ada, 'call-gallery', { changing, is_quiet: false })));
    await ada.getByRole('button', { name: 'More about this call' }).click();
    await ada.getByRole('menuitemradio', { name: 'Speaker view' }).click();
    await ada.getByRole('menu').waitFor({ state: 'detached' });
    found.push(...(await comparePage(ada, 'call-speaker', { changing, is_quiet: false })));
    expect(found).toEqual([]);
  });

  it('looks as it did to a guest who asks to come in, and when it has ended', async () => {
    const guest = await windows.open();
    await guest.addInitScript(drawCamera(140));
    await freezePage(guest);
    const found = await compareAddress(guest, 'call-guest', `${service.url}/app/g/${join_code}`);
    await requestAs(service, lived.ben, 'DELETE /calls/active');
    await ada.getByRole('heading', { name: 'The call is over' }).waitFor();
    found.push(...(await comparePage(ada, 'call-ended')));
    expect(found).toEqual([]);
  });
});
