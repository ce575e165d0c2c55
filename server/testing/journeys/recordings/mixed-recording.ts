/**
 * A recorded call on a machine without ffmpeg: one file with everybody's audio at its time. Run on the embedded media
 * server by the journey and on a real LiveKit by the wide tests.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { publishColour } from '../../../../sfu/testing/colours.ts';
import { amplitudeAt, decodeSound } from '../../../../sfu/testing/tone-tracks.ts';
import { joinWithTone, type JoinedParticipant } from '../../running/call-crowd.ts';
import { requestAs, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service, type ServiceOptions } from '../../running/running-service.ts';

/** Declares the tests; to be called inside a `describe`. */
export function testMixedRecording(options: ServiceOptions): void {
  let service: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;
  const participants: JoinedParticipant[] = [];
  beforeAll(async () => {
    service = await startService({ ...options, environment: { ...options.environment, FFMPEG: 'off' } });
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
  });
  afterAll(async () => {
    for (const { leave } of participants) await leave();
    await service?.close();
  });

  /** Records a call for some seconds, which the guest joins at `second_ms`. @returns the stored recording */
  async function record({
    second_ms,
    length_ms,
    is_seen: has_video,
  }: {
    second_ms: number;
    length_ms: number;
    is_seen: boolean;
  }) {
    const { join_code } = await requestAs(service, ada, 'POST /calls', { to: [], privacy: 'public' });
    const first = await joinWithTone(service, ada, join_code, 440);
    participants.push(first);
    const camera = has_video ? await publishColour(first.room, [220, 20, 20]) : undefined;
    const active = () => requestAs(service, ada, 'GET /calls/active');
    await poll(async () => (await active()).participants[0]?.state === 'joined', 'the host to be in');
    const { recording } = await requestAs(service, ada, 'POST /calls/active/recording', {});
    await poll(async () => (await active()).recording?.state === 'recording', 'the recording to begin');
    const started_ms = performance.now();
    const passTime = (ms: number) => poll(async () => performance.now() - started_ms > ms, `${ms} ms of audio`);
    await passTime(second_ms);
    const second = await joinWithTone(service, ben, join_code, 880);
    participants.push(second);
    await passTime(length_ms);
    await requestAs(service, ada, 'DELETE /calls/active/recording');
    const stored = await poll(async () => {
      const { items } = await requestAs(service, ada, 'GET /recordings');
      return items.find(({ id, state }: { id: string; state: string }) => id === recording.id && state === 'ready');
    }, 'the recording to be stored');
    await camera?.stop();
    for (const { leave } of participants.splice(0)) await leave();
    const isOver = async () => (await service.call('GET /calls/active', { token: ada.token })).status === 404;
    await poll(isOver, 'the service to notice that all have left');
    return stored;
  }

  it('is one audio file with a chapter for each speaker', async () => {
    const stored = await record({ second_ms: 4_000, length_ms: 9_000, is_seen: false });
    expect(stored.tracks).toHaveLength(1);
    expect(stored.tracks[0]).toMatchObject({
      name: null,
      starts_at_s: 0,
      file: { kind: 'audio', content_type: 'audio/ogg' },
    });
    const bytes = Buffer.from(await (await fetch(stored.tracks[0].file.stream_url)).arrayBuffer());
    expect(bytes.length).toBe(stored.tracks[0].file.size_bytes);
    expect(stored.chapters.length).toBeGreaterThan(0);
    for (const [at, { name }] of stored.chapters.entries())
      expect(bytes.includes(`CHAPTER00${at}NAME=${name}`)).toBe(true);
    const [audio = new Float32Array(0)] = await decodeSound(bytes);
    expect(Math.abs(audio.length / 48_000 - stored.duration_s)).toBeLessThan(1);
    const loud = 12_000 / 32_768;
    const isAudible = (from_ms: number, hertz: number) => amplitudeAt(audio, from_ms, hertz) > loud / 2;
    // In any half second, since a busy machine may send or record a tone late or with gaps.
    const audibleTones = (from_ms: number) =>
      [440, 880].map((hertz) => [0, 500, 1_000, 1_500, 2_000, 2_500].some((ms) => isAudible(from_ms + ms, hertz)));
    expect(audibleTones(500)).toEqual([true, false]);
    expect(audibleTones(stored.duration_s * 1000 - 3_500)).toEqual([true, true]);
  });

  it('contains only the audio where a camera was on', async () => {
    const stored = await record({ second_ms: 1_000, length_ms: 4_000, is_seen: true });
    expect(stored.tracks).toHaveLength(1);
    expect(stored.tracks[0]).toMatchObject({ name: null, file: { kind: 'audio', content_type: 'audio/ogg' } });
  });
}
