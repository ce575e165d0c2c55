/** Audio in tests: a client of the native SDK plays a tone, and another checks that it receives that tone. */
import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  TrackPublishOptions,
  TrackSource,
  type RemoteTrack,
  type Room,
} from '@livekit/rtc-node';

const RATE = 48_000;

/** Awaits a promise for up to 5 s: the SDK never settles it when the server ends a room at the same time. */
export async function settle(ending: Promise<unknown>): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const limit = setTimeout(timer.resolve, 5_000);
  await Promise.race([ending, timer.promise]);
  clearTimeout(limit);
}

/** Plays a sine tone into a source until stopped. */
export function playTone(source: AudioSource, hertz: number): () => Promise<void> {
  const player = { playing: true };
  let phase = 0;
  const loop = (async () => {
    while (player.playing) {
      const frame = AudioFrame.create(RATE, 1, RATE / 100);
      for (let i = 0; i < frame.data.length; i++, phase++)
        frame.data[i] = Math.round(12_000 * Math.sin((2 * Math.PI * hertz * phase) / RATE));
      await source.captureFrame(frame);
    }
  })();
  return async () => {
    player.playing = false;
    await settle(loop);
  };
}

/** Energy at a frequency (Goertzel), as a share of the total energy of the samples. */
export function shareAt(samples: Int16Array, rate: number, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let previous = 0;
  let before = 0;
  let total = 0;
  for (const sample of samples) {
    const next = sample + coefficient * previous - before;
    before = previous;
    previous = next;
    total += sample * sample;
  }
  const power = previous ** 2 + before ** 2 - coefficient * previous * before;
  return total === 0 ? 0 : (2 * power) / (samples.length * total);
}

/**
 * Reads a track until 300 ms in a row contain the tone.
 * @returns false when the track ended, or `within_ms` passed, before that
 */
export async function hearTone(track: RemoteTrack, hertz: number, within_ms = 10_000): Promise<boolean> {
  const reader = new AudioStream(track, RATE, 1).getReader();
  // A track of a lost connection yields no more frames, so that the read would never end.
  const end = setTimeout(() => void reader.cancel(), within_ms);
  let tone_ms = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done || !value) return false;
      const is_tone = shareAt(value.data, RATE, hertz) > 0.5;
      tone_ms = is_tone ? tone_ms + (value.samplesPerChannel * 1000) / RATE : 0;
      if (tone_ms >= 300) return true;
    }
  } finally {
    clearTimeout(end);
    await reader.cancel();
  }
}

/** Publishes a microphone that plays a tone, until `stop` is called. */
export async function publishTone(room: Room, hertz: number) {
  const source = new AudioSource(RATE, 1);
  const track = LocalAudioTrack.createAudioTrack('tone', source);
  const options = new TrackPublishOptions();
  options.source = TrackSource.SOURCE_MICROPHONE;
  const publication = await room.localParticipant?.publishTrack(track, options);
  return { stop: playTone(source, hertz), publication, track, source };
}

/** Waits until a tone of a participant is received, on any of the tracks that the participant has by then. */
export async function hearFrom(room: Room, identity: string, hertz: number, within_ms = 10_000): Promise<boolean> {
  const deadline = performance.now() + within_ms;
  while (performance.now() < deadline) {
    const publications = room.remoteParticipants.get(identity)?.trackPublications.values() ?? [];
    const track = [...publications].find((entry) => entry.track)?.track;
    if (track && (await hearTone(track, hertz, 2_000))) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

/** Resolves when the condition is true. @throws Error after `within_ms` with the name of the condition */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  within_ms = 10_000,
): Promise<void> {
  const deadline = performance.now() + within_ms;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${within_ms} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
