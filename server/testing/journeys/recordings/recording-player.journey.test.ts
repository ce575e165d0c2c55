/** A recording with a separate track for each person, because mixing failed: played as one in a browser. */
import { existsSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { joinWithTone } from '../../running/call-crowd.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs, type RunningPerson } from '../../running/running-people.ts';
import { poll, type Service } from '../../running/running-service.ts';
import { useBrowserWindows, openTwoPeople, missing_browser } from '../../browser/windows.ts';

describeUnlessMissing(missing_browser, 'a recording with a track for each person', () => {
  let service: Service;
  let ada: Page;
  let ben: Page;
  const windows = useBrowserWindows();
  beforeAll(async () => {
    const failing_program = ['/bin/false', '/usr/bin/false'].find((path) => existsSync(path)) ?? '';
    const environment = { FFMPEG: failing_program };
    ({ service, ada, ben } = await openTwoPeople(windows, { ada: 'desk', ben: 'phone' }, { environment }));
  });

  const personOf = async (page: Page): Promise<RunningPerson> =>
    JSON.parse(String(await page.evaluate('localStorage.getItem("asterism.session")')));

  it('plays all tracks with one seek bar, and mutes each person by name', async () => {
    const [host, guest] = [await personOf(ada), await personOf(ben)];
    const { join_code } = await requestAs(service, host, 'POST /calls', { to: [], privacy: 'public' });
    const joined_participants = [await joinWithTone(service, host, join_code, 440)];
    const first = await joinWithTone(service, guest, join_code, 880);
    const find = async () => (await requestAs(service, host, 'GET /calls/active')).recording?.state;
    await poll(async () => {
      const { participants } = await requestAs(service, host, 'GET /calls/active');
      return participants.filter(({ state }: { state: string }) => state === 'joined').length === 2;
    }, 'both to be in');
    await requestAs(service, host, 'POST /calls/active/recording', {});
    await poll(async () => (await find()) === 'recording', 'the recording to begin');
    const started_ms = performance.now();
    await poll(async () => performance.now() - started_ms > 2_500, 'some seconds of audio');
    // A person who left and joined again is one person with two parts.
    await first.leave();
    joined_participants.push(await joinWithTone(service, guest, join_code, 880));
    await poll(async () => performance.now() - started_ms > 7_000, 'more seconds of audio');
    await requestAs(service, host, 'DELETE /calls/active/recording');
    await poll(
      async () => (await requestAs(service, host, 'GET /recordings')).items[0]?.state === 'ready',
      'it to be stored',
    );
    for (const participant of joined_participants) await participant.leave();

    await ada.goto(`${service.url}/app/calls`);
    const player = ada.getByRole('group', { name: /^Recording by/ });
    const people = player.getByRole('list', { name: 'People in this recording' });
    await expect.poll(() => people.getByRole('listitem').count()).toBe(2);
    await people.getByRole('button', { name: 'Download ben, part 2 of 2' }).waitFor();
    expect(await inspectPage(ada, 'recording-tracks', 'each')).toEqual([]);
    await player.getByRole('button', { name: /^Play/ }).click();
    const audio_states =
      'Array.from(document.querySelectorAll(".track-player audio"), (audio) => [audio.paused, audio.muted, audio.currentTime])';
    const audioStates = async () =>
      (await ada.evaluate(audio_states)) as [paused: boolean, muted: boolean, at_s: number][];
    await expect
      .poll(async () => (await audioStates()).filter(([paused, , at_s]) => !paused && at_s > 0.5).length)
      .toBe(2);
    await people.getByRole('button', { name: 'Mute ben' }).click();
    expect((await audioStates()).map(([, muted]) => muted).toSorted()).toEqual([false, true, true]);
    await people.getByRole('button', { name: 'Solo ben' }).click();
    expect((await audioStates()).map(([, muted]) => muted).toSorted()).toEqual([false, false, true]);
    const bar = player.getByRole('slider');
    await bar.fill('5.5');
    // At this time the second part of that person is played.
    await expect.poll(async () => (await audioStates()).filter(([paused]) => !paused).length).toBe(2);
    await player.getByRole('button', { name: /^Pause/ }).click();
    expect((await audioStates()).every(([paused]) => paused)).toBe(true);
    expect(Number(await bar.inputValue())).toBeGreaterThanOrEqual(5.5);
  });
});
