/** The ringtone: two soft notes every three seconds, frequencies in hertz. */
const NOTES_HZ = [587.33, 880] as const;
const EVERY_MS = 3_000;

function playNote(audio: AudioContext, frequency_hz: number, at_s: number): void {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = 'sine';
  tone.frequency.value = frequency_hz;
  volume.gain.setValueAtTime(0, at_s);
  volume.gain.linearRampToValueAtTime(0.16, at_s + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.001, at_s + 0.9);
  tone.connect(volume).connect(audio.destination);
  tone.start(at_s);
  tone.stop(at_s + 1);
}

/**
 * Plays the ringtone until stopped. A page without user interaction may not play audio: then only the card is shown.
 * @returns a function that stops it
 */
export function startRinging(): () => void {
  if (typeof AudioContext === 'undefined') return () => undefined;
  const audio = new AudioContext();
  const ring = () => {
    // Refused before the first user interaction, and when it is stopped before it has started.
    if (audio.state !== 'running') audio.resume().catch(() => undefined);
    NOTES_HZ.forEach((frequency_hz, index) => playNote(audio, frequency_hz, audio.currentTime + 0.05 + index * 0.28));
  };
  ring();
  const timer = setInterval(ring, EVERY_MS);
  return () => {
    clearInterval(timer);
    void audio.close();
  };
}

/**
 * Plays the two notes once, on a selected loudspeaker where the browser supports that.
 * @throws DOMException when that loudspeaker is gone, or audio is not allowed
 */
export async function playTestTone(sink_id: string | undefined): Promise<void> {
  const audio = new AudioContext() as AudioContext & { setSinkId?: (id: string) => Promise<void> };
  if (sink_id !== undefined) await audio.setSinkId?.(sink_id);
  await audio.resume();
  NOTES_HZ.forEach((frequency_hz, index) => playNote(audio, frequency_hz, audio.currentTime + 0.05 + index * 0.28));
  setTimeout(() => void audio.close(), 2_000);
}
