/** The main journey in two real browsers: register, verify, create a tag, call it, ring, talk, write, hang up. */
import { beforeAll, expect, it } from 'vitest';
import { poll, type Service } from '../../running/running-service.ts';
import {
  callTag,
  useBrowserWindows,
  createTag,
  missing_browser,
  receivedMedia,
  signUpByForms,
  waitForHome,
} from '../../browser/windows.ts';
import { describeUnlessMissing } from '../../../../testing/skip.ts';

describeUnlessMissing(missing_browser, 'the main journey in two browsers', () => {
  let service: Service;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    service = await windows.startService();
  });

  it('two people find, call, hear, see and write to each other, and hang up', async () => {
    const [ada, ben] = [await windows.open(), await windows.open()];
    await signUpByForms(service, ada, 'ada', '+14155550101');
    await signUpByForms(service, ben, 'ben', '+14155550102');

    await createTag(ada, 'evenings');

    await callTag(ben, 'evening');
    await ada.getByRole('button', { name: 'Accept' }).click();
    for (const page of [ada, ben]) {
      await page.getByRole('button', { name: 'Leave' }).waitFor();
      await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
      const start_camera = page.getByRole('button', { name: 'Start camera' });
      if (await start_camera.isVisible()) await start_camera.click();
    }
    for (const page of [ada, ben]) {
      await poll(async () => {
        const { frames, energy } = await receivedMedia(page);
        return frames > 20 && energy > 0.001;
      }, 'audio and video');
    }

    await ben.getByLabel('Message').fill('Can you hear me?');
    await ben.getByRole('button', { name: 'Send' }).click();
    await ada.getByText('Can you hear me?', { exact: true }).waitFor();

    await ada.getByRole('button', { name: 'Leave' }).click();
    await waitForHome(ada);
    await ben.getByRole('button', { name: 'End for all' }).click();
    await ben.getByRole('alertdialog').getByRole('button', { name: /End/ }).click();
    await waitForHome(ben);
    for (const page of [ada, ben]) expect(await page.getByRole('button', { name: 'Leave' }).count()).toBe(0);
  });
});
