/**
 * A call that is filmed: colours that are told apart, in their tiles at their times, and a kill in the middle. Run on the
 * embedded media server by the journey and on a real LiveKit by the wider tests.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ffmpeg, isColour, probe, publishColour, readColours, type Colour } from '../../../sfu/testing/colours.ts';
import { shareAt } from '../../../sfu/testing/tones.ts';
import { joinWithTone } from '../call-crowd.ts';
import { useFirefoxWindows, missing_firefox } from '../firefox-windows.ts';
import { inspectPage } from '../page-checks.ts';
import { requestAs as askOf, password, signUp, type RunningPerson } from '../running-people.ts';
import { poll, startService, type Service, type ServiceOptions } from '../running-service.ts';
import { useBrowserWindows, missing_browser, waitForHome, type BrowserWindows } from '../windows.ts';
import { itUnlessMissing } from '../../../tools/skip.ts';

/** Why no call can be filmed; undefined when it can. */
export const missing_video = ffmpeg === undefined ? 'ffmpeg' : undefined;

/** A browser in which the film is played. */
export type Player = {
  missing: string | undefined;
  /** Whether the page is looked at by axe's rules, too. */
  inspects: boolean;
  useBrowserWindows(): Pick<BrowserWindows, 'open' | 'close'>;
};
export const chromium_player: Player = { missing: missing_browser, inspects: true, useBrowserWindows };
/** Firefox loses the context of a page with a film in which axe runs; the page without one is looked at in `firefox-pages`. */
export const firefox_player: Player = {
  missing: missing_firefox,
  inspects: false,
  useBrowserWindows: useFirefoxWindows,
};

type Filmed = {
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
  const folder = mkdtempSync(join(tmpdir(), 'asterism-filmed-'));
  const leave: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    service = await startService(options);
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
  }, 60_000);
  afterAll(async () => {
    for (const one of leave) await one();
    await service?.close();
    rmSync(folder, { recursive: true });
  });

  const ask = (person: RunningPerson, route: string, body?: unknown) => askOf(service, person, route, body);
  async function enter(person: RunningPerson, hertz: number): Promise<Room> {
    const entered = await joinWithTone(service, person, join_code, hertz);
    leave.push(entered.leave);
    return entered.room;
  }
  async function show(room: Room, colour: Colour) {
    const camera = await publishColour(room, colour);
    leave.unshift(() => camera.stop());
    return camera;
  }
  const find = async (person: RunningPerson, id: string): Promise<Filmed | undefined> =>
    (await ask(person, 'GET /recordings')).items.find((one: Filmed) => one.id === id);
  const isRecorded = async () => (await ask(ben, 'GET /calls/active')).recording?.state === 'recording';
  const pass = async (ms: number) => {
    const begun_ms = performance.now();
    await poll(async () => performance.now() - begun_ms > ms, `${ms} ms of film`, ms + 10_000);
  };
  async function keep({ tracks, id }: Filmed): Promise<string> {
    const path = join(folder, `${id}.mp4`);
    writeFileSync(path, Buffer.from(await (await fetch(tracks[0]?.file.stream_url ?? '')).arrayBuffer()));
    return path;
  }
  /** Which seconds of a film show colours at points. */
  const secondsWith = (film: string, length_s: number, wanted: [[number, number], Colour][]): number[] => {
    const seconds = Array.from({ length: Math.floor(length_s) }, (_, second) => second);
    const points = wanted.map(([point]) => point);
    return seconds.filter((second) =>
      readColours(film, second + 0.5, points, width).every((seen, index) => isColour(seen, wanted[index]?.[1] ?? red)),
    );
  };

  it('shows each in their tile while their camera was on, with the sound of both', async () => {
    const call = await ask(ada, 'POST /calls', { to: [{ user_id: ben.id }], media: 'video' });
    join_code = call.join_code;
    const [a, b] = [await enter(ada, 440), await enter(ben, 990)];
    await show(a, red);
    await poll(async () => {
      const { participants } = await ask(ada, 'GET /calls/active');
      return participants.every(({ state }: { state: string }) => state === 'joined');
    }, 'both to be in');
    const { recording } = await ask(ada, 'POST /calls/active/recording', {});
    await poll(isRecorded, 'the recording to begin');
    await pass(4_000);
    await show(b, blue);
    await pass(5_000);
    await ask(ada, 'DELETE /calls/active/recording');
    await poll(async () => (await find(ben, recording.id))?.state === 'ready', 'the film to be made', 120_000);
    const filmed = await find(ben, recording.id);
    if (!filmed) throw new Error('there is no recording');
    expect(filmed.tracks).toHaveLength(1);
    expect(filmed.tracks[0]?.file).toMatchObject({ kind: 'video', content_type: 'video/mp4', width, height: 720 });
    const poster = await fetch(filmed.tracks[0]?.file.poster_url ?? '');
    expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/webp']);

    const film = await keep(filmed);
    const { streams, format, chapters } = probe(film);
    expect(streams.slice(0, 2).map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    expect(Math.abs(Number(format.duration) - filmed.duration_s)).toBeLessThan(1);
    expect(filmed.duration_s).toBeGreaterThan(8.5);
    expect(chapters.map(({ tags }) => tags.title)).toEqual(filmed.chapters.map(({ name }) => name));
    const alone = secondsWith(film, filmed.duration_s, [
      [left, red],
      [right, red],
    ]);
    const together = secondsWith(film, filmed.duration_s, [
      [left, red],
      [right, blue],
    ]);
    // First one, then both: as long as each camera was on, within what a start takes.
    expect(alone.length, `${alone} and ${together}`).toBeGreaterThanOrEqual(3);
    expect(together.length, `${alone} and ${together}`).toBeGreaterThanOrEqual(3);
    expect(Math.max(...alone)).toBeLessThan(Math.min(...together));
    expect(together).toContain(Math.floor(filmed.duration_s) - 1);

    const as_pcm = ['-ac', '1', '-ar', String(rate), '-f', 's16le', 'pipe:1'];
    // A slow machine films for longer than usual.
    const pcm = execFileSync(ffmpeg ?? '', ['-v', 'error', '-i', film, ...as_pcm], { maxBuffer: 64 * 2 ** 20 });
    const sound = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2).subarray(5 * rate, 6 * rate);
    expect([
      shareAt(sound, rate, 440) > 0.2,
      shareAt(sound, rate, 990) > 0.2,
      shareAt(sound, rate, 1_500) < 0.05,
    ]).toEqual([true, true, true]);
  }, 240_000);

  itUnlessMissing(
    player.missing,
    'plays in the web client',
    async () => {
      const windows = player.useBrowserWindows();
      try {
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
        const film = page.getByLabel('Recording by ada');
        await film.waitFor();
        if (player.inspects) expect(await inspectPage(page, 'film', 'each')).toEqual([]);
        // The browser decodes what ffmpeg made, to where the other has come.
        const look = (what: string) =>
          page.evaluate(`(() => { const film = document.querySelector('video'); ${what} })()`);
        await look('film.muted = true; film.currentTime = 6; return film.play();');
        await poll(async () => Number(await look('return film.currentTime;')) > 6.2, 'the film to be played');
        expect(await look('return [film.videoWidth, film.videoHeight, film.poster !== ""];')).toEqual([
          width,
          720,
          true,
        ]);
      } finally {
        await windows.close();
      }
    },
    120_000,
  );

  it('keeps what was filmed until two seconds before the service was killed', async () => {
    const { recording } = await ask(ada, 'POST /calls/active/recording', {});
    await poll(isRecorded, 'the recording to begin');
    await pass(8_000);
    await service.killAndRestart();
    await poll(async () => (await find(ada, recording.id))?.state === 'ready', 'the first half to be kept', 120_000);
    const half = await find(ada, recording.id);
    if (!half) throw new Error('there is no recording');
    expect(half.duration_s).toBeGreaterThan(6);
    expect(half.tracks[0]?.file.kind).toBe('video');
    const film = await keep(half);
    expect(Math.abs(Number(probe(film).format.duration) - half.duration_s)).toBeLessThan(1);
    // Both cameras were on before it began: whichever was seen first has the first tile.
    const seen = [[left, right] as const, [right, left] as const].map(([of_red, of_blue]) =>
      secondsWith(film, half.duration_s, [
        [of_red, red],
        [of_blue, blue],
      ]),
    );
    expect(Math.max(...seen.map(({ length }) => length))).toBeGreaterThanOrEqual(4);
    await poll(isRecorded, 'the recording to go on', 60_000);
    await ask(ada, 'DELETE /calls/active');
  }, 240_000);
}
