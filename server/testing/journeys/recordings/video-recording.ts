/**
 * A video recording of a call: distinguishable colours in their tiles at their times, and a kill in the middle. Run on
 * the embedded media server by the journey and on a real LiveKit by the wide tests.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ffmpeg, isColour, probe, publishColour, readColours, type Colour } from '../../../../sfu/testing/colours.ts';
import { shareAt } from '../../../../sfu/testing/tones.ts';
import { joinWithTone } from '../../running/call-crowd.ts';
import { useFirefoxWindows, missing_firefox } from '../../browser/firefox-windows.ts';
import { inspectPage } from '../../browser/page-checks.ts';
import { requestAs as askOf, password, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service, type ServiceOptions } from '../../running/running-service.ts';
import { useBrowserWindows, missing_browser, waitForHome, type BrowserWindows } from '../../browser/windows.ts';
import { itUnlessMissing } from '../../../../testing/skip.ts';

/** Why no video can be recorded; undefined when one can. */
export const missing_video = ffmpeg === undefined ? 'ffmpeg' : undefined;

/** A browser in which the video is played. */
export type Player = {
  missing: string | undefined;
  /** Whether the page is also checked by axe's rules. */
  inspects: boolean;
  useBrowserWindows(): Pick<BrowserWindows, 'open'>;
};

/** Chromium, which plays a recording and inspects its page. */
export const chromium_player: Player = { missing: missing_browser, inspects: true, useBrowserWindows };
/**
 * Firefox loses the context of a page with a video while axe runs; the page without one is checked in `firefox-pages`.
 */
export const firefox_player: Player = {
  missing: missing_firefox,
  inspects: false,
  useBrowserWindows: useFirefoxWindows,
};

type VideoRecording = {
  id: string;
  state: string;
  duration_s: number;
  chapters: { name: string }[];
  tracks: {
    name: string | null;
    file: { kind: string; content_type: string; width: number; height: number; poster_url: string; stream_url: string };
  }[];
};

const red: Colour = [220, 20, 20];
const blue: Colour = [20, 20, 220];
const width = 1280;
const left: [number, number] = [320, 360];
const right: [number, number] = [960, 360];
const rate = 48_000;

/** Declares the tests; to be called inside a `describe`. */
export function testVideoRecording(options: ServiceOptions, player: Player): void {
  let service: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;
  let join_code = '';
  const folder = mkdtempSync(join(tmpdir(), 'asterism-video-'));
  const leave: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    service = await startService(options);
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
  });
  afterAll(async () => {
    for (const end of leave) await end();
    await service?.close();
    rmSync(folder, { recursive: true });
  });
  const windows = player.useBrowserWindows();

  const request = (person: RunningPerson, route: string, body?: unknown) => askOf(service, person, route, body);
  async function joinCall(person: RunningPerson, hertz: number): Promise<Room> {
    const participant = await joinWithTone(service, person, join_code, hertz);
    leave.push(participant.leave);
    return participant.room;
  }
  async function startCamera(room: Room, colour: Colour) {
    const camera = await publishColour(room, colour);
    leave.unshift(() => camera.stop());
    return camera;
  }
  const find = async (person: RunningPerson, id: string): Promise<VideoRecording | undefined> =>
    (await request(person, 'GET /recordings')).items.find((item: VideoRecording) => item.id === id);
  const isRecorded = async () => (await request(ben, 'GET /calls/active')).recording?.state === 'recording';
  const passTime = async (ms: number) => {
    const started_ms = performance.now();
    await poll(async () => performance.now() - started_ms > ms, `${ms} ms of video`, ms + 10_000);
  };
  async function download({ tracks, id }: VideoRecording): Promise<string> {
    const path = join(folder, `${id}.mp4`);
    writeFileSync(path, Buffer.from(await (await fetch(tracks[0]?.file.stream_url ?? '')).arrayBuffer()));
    return path;
  }
  /** The seconds of a video in which colours are shown at points. */
  const secondsWith = (video: string, length_s: number, expected: [[number, number], Colour][]): number[] => {
    const seconds = Array.from({ length: Math.floor(length_s) }, (_, second) => second);
    const points = expected.map(([point]) => point);
    return seconds.filter((second) =>
      readColours(video, second + 0.5, points, width).every((colour, index) =>
        isColour(colour, expected[index]?.[1] ?? red),
      ),
    );
  };

  it('shows each person in their tile while their camera was on, with the audio of both', async () => {
    const call = await request(ada, 'POST /calls', { to: [{ user_id: ben.id }], media: 'video' });
    join_code = call.join_code;
    const [a, b] = [await joinCall(ada, 440), await joinCall(ben, 990)];
    await startCamera(a, red);
    await poll(async () => {
      const { participants } = await request(ada, 'GET /calls/active');
      return participants.every(({ state }: { state: string }) => state === 'joined');
    }, 'both to be in');
    const { recording } = await request(ada, 'POST /calls/active/recording', {});
    await poll(isRecorded, 'the recording to begin');
    await passTime(4_000);
    await startCamera(b, blue);
    await passTime(5_000);
    await request(ada, 'DELETE /calls/active/recording');
    await poll(async () => (await find(ben, recording.id))?.state === 'ready', 'the video to be created');
    const recorded = await find(ben, recording.id);
    if (!recorded) throw new Error('there is no recording');
    expect(recorded.tracks).toHaveLength(1);
    expect(recorded.tracks[0]?.file).toMatchObject({ kind: 'video', content_type: 'video/mp4', width, height: 720 });
    const poster = await fetch(recorded.tracks[0]?.file.poster_url ?? '');
    expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/webp']);

    const video = await download(recorded);
    const { streams, format, chapters } = probe(video);
    expect(streams.slice(0, 2).map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    expect(Math.abs(Number(format.duration) - recorded.duration_s)).toBeLessThan(1);
    expect(recorded.duration_s).toBeGreaterThan(8.5);
    expect(chapters.map(({ tags }) => tags.title)).toEqual(recorded.chapters.map(({ name }) => name));
    const alone = secondsWith(video, recorded.duration_s, [
      [left, red],
      [right, red],
    ]);
    const together = secondsWith(video, recorded.duration_s, [
      [left, red],
      [right, blue],
    ]);
    // First one camera, then both: as long as each was on, within the time of a start.
    expect(alone.length, `${alone} and ${together}`).toBeGreaterThanOrEqual(3);
    expect(together.length, `${alone} and ${together}`).toBeGreaterThanOrEqual(3);
    expect(Math.max(...alone)).toBeLessThan(Math.min(...together));
    expect(together).toContain(Math.floor(recorded.duration_s) - 1);

    const as_pcm = ['-ac', '1', '-ar', String(rate), '-f', 's16le', 'pipe:1'];
    // A slow machine records for longer than usual.
    const pcm = execFileSync(ffmpeg ?? '', ['-v', 'error', '-i', video, ...as_pcm], { maxBuffer: 64 * 2 ** 20 });
    const audio = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
    const heard = Array.from({ length: Math.floor(recorded.duration_s) }, (_, second) => {
      const samples = audio.subarray(second * rate, (second + 1) * rate);
      return [440, 990, 1_500].map((hertz) => shareAt(samples, rate, hertz));
    });
    // On a busy machine some seconds have gaps: the clients of the test get too little processor time to send in time.
    const complete = heard.filter(
      ([a_share = 0, b_share = 0, other = 1]) => a_share > 0.2 && b_share > 0.2 && other < 0.05,
    );
    expect(complete.length, JSON.stringify(heard)).toBeGreaterThanOrEqual(3);
  });

  itUnlessMissing(
    player.missing,
    'plays in the web client',
    async () => {
      const page = await windows.open('desk');
      await page.goto(`${service.url}/app/sign-in`);
      await page.getByLabel('Username').fill('ben');
      await page.getByLabel('Password', { exact: true }).fill(password);
      const codeOf = async () => (await service.caught('ben@example.org'))[0]?.code;
      const before = await codeOf();
      await page.getByRole('button', { name: 'Sign in' }).click();
      const code = await poll(async () => {
        const newest = await codeOf();
        return newest !== before && newest;
      }, 'a code');
      await page.getByLabel('Code').fill(code);
      await waitForHome(page);
      await page.goto(`${service.url}/app/calls`);
      const video = page.getByLabel('Recording by ada');
      await video.waitFor();
      if (player.inspects) expect(await inspectPage(page, 'film', 'each')).toEqual([]);
      // The browser decodes the video of ffmpeg, at a position where both cameras are on.
      const evaluate = (what: string) =>
        page.evaluate(`(() => { const video = document.querySelector('video'); ${what} })()`);
      await evaluate('video.muted = true; video.currentTime = 6; return video.play();');
      await poll(async () => Number(await evaluate('return video.currentTime;')) > 6.2, 'the video to be played');
      expect(await evaluate('return [video.videoWidth, video.videoHeight, video.poster !== ""];')).toEqual([
        width,
        720,
        true,
      ]);
    },
    120_000,
  );

  it('stores what was recorded until two seconds before the service was killed', async () => {
    const { recording } = await request(ada, 'POST /calls/active/recording', {});
    await poll(isRecorded, 'the recording to begin');
    await passTime(8_000);
    await service.killAndRestart();
    await poll(async () => (await find(ada, recording.id))?.state === 'ready', 'the first half to be stored');
    const half = await find(ada, recording.id);
    if (!half) throw new Error('there is no recording');
    expect(half.duration_s).toBeGreaterThan(6);
    expect(half.tracks[0]?.file.kind).toBe('video');
    const video = await download(half);
    expect(Math.abs(Number(probe(video).format.duration) - half.duration_s)).toBeLessThan(1);
    // Both cameras were on before it began: the one that was received first has the first tile.
    const matches = [[left, right] as const, [right, left] as const].map(([of_red, of_blue]) =>
      secondsWith(video, half.duration_s, [
        [of_red, red],
        [of_blue, blue],
      ]),
    );
    expect(Math.max(...matches.map(({ length }) => length))).toBeGreaterThanOrEqual(4);
    await poll(isRecorded, 'the recording to continue');
    await request(ada, 'DELETE /calls/active');
  });
}
