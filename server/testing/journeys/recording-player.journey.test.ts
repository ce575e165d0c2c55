/** A recording that is kept as a track for each person, since mixing it fails: heard as one in a browser. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../tools/skip.ts';
import { joinWithTone } from '../call-crowd.ts';
import { inspectPage } from '../page-checks.ts';
import { requestAs, type RunningPerson } from '../running-people.ts';
import { poll, type Service } from '../running-service.ts';
import { useBrowserWindows, openTwoPeople, missing_browser } from '../windows.ts';

describeUnlessMissing(missing_browser, 'a recording with a track for each person', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    const program_that_fails = ['/bin/false', '/usr/bin/false'].find((path) => existsSync(path)) ?? '';
    const environment = { FFMPEG: program_that_fails };
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }, { environment }));
    for (const page of [ada, ben]) page.setDefaultTimeout(10_000);
  }, 60_000);
  afterAll(async () => {
    await windows.close();
    await service.close();
  });

  const personOf = async (page: Page): Promise<RunningPerson> =>
    JSON.parse(String(await page.evaluate('localStorage.getItem("asterism.session")')));

  it('plays all of them by one bar, and mutes each by name', async () => {
    const [host, guest] = [await personOf(ada), await personOf(ben)];
    const { join_code } = await requestAs(service, host, 'POST /calls', { to: [], privacy: 'public' });
    const played = [await joinWithTone(service, host, join_code, 440)];
    const first = await joinWithTone(service, guest, join_code, 880);
    const find = async () => (await requestAs(service, host, 'GET /calls/active')).recording?.state;
    await poll(async () => {
      const { participants } = await requestAs(service, host, 'GET /calls/active');
      return participants.filter(({ state }: { state: string }) => state === 'joined').length === 2;
    }, 'both to be in');
    await requestAs(service, host, 'POST /calls/active/recording', {});
    await poll(async () => (await find()) === 'recording', 'the recording to begin');
    const begun_ms = performance.now();
    await poll(async () => performance.now() - begun_ms > 2_500, 'some seconds of sound');
    // Whoever left and came again is one person with two pieces.
    await first.leave();
    played.push(await joinWithTone(service, guest, join_code, 880));
    await poll(async () => performance.now() - begun_ms > 7_000, 'more seconds of sound');
    await requestAs(service, host, 'DELETE /calls/active/recording');
    await poll(
      async () => (await requestAs(service, host, 'GET /recordings')).items[0]?.state === 'ready',
      'it to be kept',
    );
    for (const one of played) await one.leave();

    await ada.goto(`${service.url}/app/calls`);
    const player = ada.getByRole('group', { name: /^Recording by/ });
    const people = player.getByRole('list', { name: 'People in this recording' });
    await expect.poll(() => people.getByRole('listitem').count()).toBe(2);
    await people.getByRole('button', { name: 'Download ben, part 2 of 2' }).waitFor();
    expect(await inspectPage(ada, 'recording-tracks', 'each')).toEqual([]);
    await player.getByRole('button', { name: /^Play/ }).click();
    const heard =
      'Array.from(document.querySelectorAll(".track-player audio"), (one) => [one.paused, one.muted, one.currentTime])';
    const sounds = async () => (await ada.evaluate(heard)) as [paused: boolean, muted: boolean, at_s: number][];
    await expect.poll(async () => (await sounds()).filter(([paused, , at_s]) => !paused && at_s > 0.5).length).toBe(2);
    await people.getByRole('button', { name: 'Mute ben' }).click();
    expect((await sounds()).map(([, muted]) => muted).toSorted()).toEqual([false, true, true]);
    await people.getByRole('button', { name: 'Solo ben' }).click();
    expect((await sounds()).map(([, muted]) => muted).toSorted()).toEqual([false, false, true]);
    const bar = player.getByRole('slider');
    await bar.fill('5.5');
    // By then the second piece of whoever came again is what is heard of them.
    await expect.poll(async () => (await sounds()).filter(([paused]) => !paused).length).toBe(2);
    await player.getByRole('button', { name: /^Pause/ }).click();
    expect((await sounds()).every(([paused]) => paused)).toBe(true);
    expect(Number(await bar.inputValue())).toBeGreaterThanOrEqual(5.5);
  }, 120_000);
});
