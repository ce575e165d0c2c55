/** Splits microphone audio into pieces of speech, each in a file of its own. */
import { createMeter } from '../media/meter.ts';

/** A piece ends at a pause after the minimum duration, or at the maximum; without speech it is discarded sooner. */
const PAUSE_AFTER_MS = 2_000;
const MAX_LENGTH_MS = 6_000;
const SILENCE_MS = 2_500;
/** How long a pause is. */
const PAUSE_MS = 700;
const CHECK_INTERVAL_MS = 100;
const METER_SAMPLES = 2048;
/** The RMS level of speech, of 1. */
const MIN_LOUDNESS = 0.012;

/**
 * Records until it is stopped.
 * @param trackNow the current microphone; undefined while there is none or it is muted
 * @param onSpeech gets each piece that contains speech
 * @returns a function that stops it
 */
export function recordSpeech(trackNow: () => MediaStreamTrack | undefined, onSpeech: (file: File) => void): () => void {
  const context = new AudioContext();
  let piece: { end: (is_kept: boolean) => void; look: (now_ms: number) => void } | undefined;
  const begin = (track: MediaStreamTrack) => {
    const stream = new MediaStream([track]);
    const meter = createMeter(context, stream, METER_SAMPLES);
    const recorder = new MediaRecorder(stream);
    const parts: Blob[] = [];
    const begun_ms = performance.now();
    let spoken_ms: number | undefined;
    let is_kept = false;
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.addEventListener('stop', () => {
      const type = recorder.mimeType.split(';')[0] || 'audio/webm';
      if (is_kept) onSpeech(new File(parts, `speech.${type.split('/')[1] ?? 'webm'}`, { type }));
    });
    recorder.start();
    const end = (keep: boolean) => {
      piece = undefined;
      meter.disconnect();
      is_kept = keep && spoken_ms !== undefined;
      if (recorder.state !== 'inactive') recorder.stop();
    };
    const look = (now_ms: number) => {
      if (meter.loudness() > MIN_LOUDNESS) spoken_ms = now_ms;
      const length_ms = now_ms - begun_ms;
      const pauses = spoken_ms !== undefined && now_ms - spoken_ms > PAUSE_MS && length_ms > PAUSE_AFTER_MS;
      if (pauses || length_ms > MAX_LENGTH_MS) end(true);
      else if (spoken_ms === undefined && length_ms > SILENCE_MS) end(false);
      else if (track.readyState === 'ended') end(true);
    };
    piece = { end, look };
  };
  const timer = setInterval(() => {
    const track = trackNow();
    if (track === undefined) piece?.end(true);
    else if (piece === undefined) begin(track);
    else piece.look(performance.now());
  }, CHECK_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    piece?.end(false);
    void context.close();
  };
}
