/** A recorded call: announced, interrupted by a kill, continued and played; each person has a different tone. */
import { decoder } from '@audio/decode-opus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareAt } from '../../../../sfu/testing/tones.ts';
import { joinWithTone } from '../../running/call-crowd.ts';
import { requestAs as askOf, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

type Track = { name: string | null; starts_at_s: number; file: { stream_url: string } };
type Recorded = { id: string; state: string; duration_s: number; tracks: Track[] };

const [ada_hz, ben_hz] = [440, 990];
const rate = 48_000;

describe('a recorded call', () => {
  let service: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;
  let join_code = '';
  const leave: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    service = await startService();
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
  });
  afterAll(async () => {
    for (const end of leave) await end();
    await service?.close();
  });

  const request = (person: RunningPerson, route: string, body?: unknown) => askOf(service, person, route, body);
  async function join(person: RunningPerson, hertz: number): Promise<void> {
    leave.push((await joinWithTone(service, person, join_code, hertz)).leave);
  }
  const recordings = async (person: RunningPerson): Promise<Recorded[]> =>
    (await request(person, 'GET /recordings')).items;
  const isRecorded = async () => (await request(ben, 'GET /calls/active')).recording?.state === 'recording';

  /** The share of a frequency in the audio of a recording, the maximum of its tracks. */
  async function shareOf({ tracks }: Recorded, hertz: number): Promise<number> {
    const shares: number[] = [];
    for (const { file } of tracks) {
      const bytes = Buffer.from(await (await fetch(file.stream_url)).arrayBuffer());
      expect(bytes.subarray(0, 4).toString()).toBe('OggS');
      const opus = await decoder();
      const chunks = [opus.decode(bytes), opus.flush()].flatMap(({ channelData }) => channelData[0] ?? []);
      opus.free();
      const samples = Int16Array.from(
        chunks.flatMap((chunk) => [...chunk]),
        (sample) => sample * 32_767,
      );
      // The middle second, in which everybody is connected.
      const middle = Math.floor(samples.length / 2);
      shares.push(shareAt(samples.subarray(middle - rate / 2, middle + rate / 2), rate, hertz));
    }
    return Math.max(0, ...shares);
  }

  it('is announced to everybody before it begins, and contains the audio of both', async () => {
    const call = await request(ada, 'POST /calls', { to: [{ user_id: ben.id }] });
    join_code = call.join_code;
    await join(ada, ada_hz);
    await join(ben, ben_hz);
    await poll(async () => {
      const { participants } = await request(ada, 'GET /calls/active');
      return participants.every(({ state }: { state: string }) => state === 'joined');
    }, 'both to be in');
    const announced = await request(ada, 'POST /calls/active/recording', {});
    expect(announced.recording.state).toBe('announced');
    expect((await request(ben, 'GET /calls/active')).recording).toMatchObject({ by: { username: 'ada' } });
    await poll(isRecorded, 'the recording to begin');
    const started_ms = performance.now();
    await poll(async () => performance.now() - started_ms > 4000, 'four seconds of audio');
    await request(ada, 'DELETE /calls/active/recording');
    await poll(async () => (await recordings(ben))[0]?.state === 'ready', 'the recording to be stored');
    const [recorded] = await recordings(ben);
    if (!recorded) throw new Error('there is no recording');
    expect(recorded.duration_s).toBeGreaterThan(3.5);
    for (const hertz of [ada_hz, ben_hz]) expect(await shareOf(recorded, hertz)).toBeGreaterThan(0.2);
    expect(await shareOf(recorded, 1500)).toBeLessThan(0.05);
  });

  it('stores what was recorded when the service is killed, and continues recording after the restart', async () => {
    const { recording } = await request(ada, 'POST /calls/active/recording', {});
    const find = async () => (await recordings(ada)).find(({ id }) => id === recording.id);
    await poll(isRecorded, 'the recording to begin');
    const started_ms = performance.now();
    await poll(async () => performance.now() - started_ms > 8000, 'eight seconds of audio');
    await service.killAndRestart();
    await poll(async () => (await find())?.state === 'ready', 'the first half to be stored');
    const half = await find();
    if (!half) throw new Error('there is no recording');
    expect(half.duration_s).toBeGreaterThan(6);
    expect(await shareOf(half, ada_hz)).toBeGreaterThan(0.2);
    await poll(isRecorded, 'the recording to continue');
    await request(ada, 'DELETE /calls/active');
  });
});
