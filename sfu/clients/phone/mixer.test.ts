import { createEncoder } from 'libopus-wasm';
import { expect, test } from 'vitest';
import { shareAt, until } from '../../testing/tones.ts';
import { FRAME_SAMPLES, Mixer, RATE_HZ } from './mixer.ts';
import { levelOf } from './phone-participant.ts';

/** Encodes a tone into `count` packets, numbered from `first`. */
async function encodeTone(track_sid: string, hertz: number, count: number, first = 65_530, amplitude = 9_000) {
  using encoder = await createEncoder({ sampleRate: RATE_HZ, channels: 1, frameSize: FRAME_SAMPLES });
  return Array.from({ length: count }, (_, packet) => ({
    track_sid,
    sequence: (first + packet) & 0xffff,
    timestamp: packet * 960,
    payload: Buffer.from(
      encoder.encode(
        Int16Array.from({ length: FRAME_SAMPLES }, (_empty, at) =>
          Math.round(amplitude * Math.sin((2 * Math.PI * hertz * (packet * FRAME_SAMPLES + at)) / RATE_HZ)),
        ),
      ),
    ),
  }));
}

/** Creates a mixer with decoders for the given tracks. */
async function openMixer(...track_sids: string[]): Promise<Mixer> {
  const mixer = new Mixer();
  for (const track_sid of track_sids) {
    const [opening] = await encodeTone(track_sid, 1_000, 1, 65_529);
    if (!opening) throw new Error('no packet');
    mixer.add(opening);
    // The packet that creates the decoder is dropped; the next is played when two have arrived.
    await until('the decoder', () => {
      mixer.add(opening);
      return mixer.size() === track_sids.indexOf(track_sid) + 1;
    });
  }
  return mixer;
}

test('mixes the tracks after buffering, and is silent again when they end', async () => {
  const mixer = await openMixer('TR_1', 'TR_2');
  const [low, high] = [await encodeTone('TR_1', 500, 8), await encodeTone('TR_2', 1_500, 8)];
  for (const packet of [...low, ...high]) mixer.add(packet);
  const frames = Array.from({ length: 7 }, () => mixer.take()).slice(3);
  for (const samples of frames) {
    expect(shareAt(samples, RATE_HZ, 500)).toBeGreaterThan(0.3);
    expect(shareAt(samples, RATE_HZ, 1_500)).toBeGreaterThan(0.3);
  }
  mixer.keep(new Set(['TR_2']));
  for (let left = 0; left < 4; left++) mixer.take();
  expect(levelOf(mixer.take())).toBe(127);
  mixer.close();
});

test('conceals lost packets, ignores late and invalid ones, and bounds its delay', async () => {
  const mixer = await openMixer('TR_1');
  const packets = await encodeTone('TR_1', 500, 60);
  const [first, second, third, fourth, ...rest] = packets as [(typeof packets)[0], ...typeof packets];
  for (const packet of [first, second, fourth, third]) if (packet) mixer.add(packet);
  mixer.add({ ...first, sequence: 65_534, payload: Buffer.from([0xff, 0xff, 0xff]) });
  // Frames that are not silent: one is concealed for the late third packet, and the invalid packet yields none.
  expect(Array.from({ length: 8 }, () => levelOf(mixer.take()) < 60).filter(Boolean).length).toBe(5);
  for (const packet of rest.slice(1)) mixer.add(packet);
  let sounding = 0;
  while (levelOf(mixer.take()) < 60) sounding++;
  expect(sounding).toBeLessThan(11);
  mixer.close();
});

test('clips when it is too loud, and measures levels as in RFC 6464', async () => {
  const mixer = await openMixer('TR_1', 'TR_2');
  for (const track_sid of ['TR_1', 'TR_2'])
    for (const packet of await encodeTone(track_sid, 500, 8, 65_530, 30_000)) mixer.add(packet);
  const frames = Array.from({ length: 7 }, () => mixer.take());
  expect(Math.max(...frames.flatMap((samples) => [...samples]))).toBe(32_767);
  mixer.close();
  expect(levelOf(new Int16Array(160))).toBe(127);
  expect(levelOf(new Int16Array(160).fill(-32_768))).toBe(0);
  expect(levelOf(new Int16Array(160).fill(3_277))).toBe(20);
});
