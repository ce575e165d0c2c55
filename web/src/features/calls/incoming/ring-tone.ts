/** Two soft notes every three seconds: the frequencies in hertz. */
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
 * Rings until stopped. A page that nobody has touched yet may not make sound: it then rings silently, and the sheet
 * on the screen is all there is.
 * @returns a function that stops the ringing
 */
export function startRinging(): () => void {
  if (typeof AudioContext === 'undefined') return () => undefined;
  const audio = new AudioContext();
  const ring = () => {
    // Refused until the page has been touched, and when the ringing stops before it could start.
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
 * Plays the two notes once, through a loudspeaker of the reader's choice where the browser lets one choose.
 * @throws DOMException when that loudspeaker is gone, or the browser does not let the page sound
 */
export async function playTestTone(sink_id: string | undefined): Promise<void> {
  const audio = new AudioContext() as AudioContext & { setSinkId?: (id: string) => Promise<void> };
  if (sink_id !== undefined) await audio.setSinkId?.(sink_id);
  await audio.resume();
  NOTES_HZ.forEach((frequency_hz, index) => playNote(audio, frequency_hz, audio.currentTime + 0.05 + index * 0.28));
  setTimeout(() => void audio.close(), 2_000);
}
