import { useCallback, useEffect, useState } from 'react';
import { soundConstraints } from '../effects/sound.ts';
import { explainDevice } from './explain-devices.ts';
import { createMeter } from './meter.ts';

type Kind = 'microphone' | 'camera';

/** A device in the lobby. */
export interface DeviceState {
  readonly stream?: MediaStream | undefined;
  /** Why it could not be started, as a message. */
  readonly problem?: string | undefined;
  /** Whether the browser or the user has denied access. */
  readonly is_denied?: boolean | undefined;
}

/** The options of a device. */
interface Wanted {
  readonly device_id: string | undefined;
  /** For a microphone. */
  readonly suppresses_noise?: boolean;
}

async function open(kind: Kind, { device_id, suppresses_noise = true }: Wanted): Promise<MediaStream> {
  // Without TLS browsers provide no devices, except on localhost.
  if (navigator.mediaDevices === undefined) throw Object.assign(new Error(), { name: 'NotAllowedError' });
  const wanted = device_id === undefined ? {} : { deviceId: device_id };
  return navigator.mediaDevices.getUserMedia(
    kind === 'camera' ? { video: wanted } : { audio: { ...wanted, ...soundConstraints(suppresses_noise) } },
  );
}

const stop = (stream: MediaStream | undefined) => stream?.getTracks().forEach((track) => track.stop());

/** Opens a device while it is on, and closes it with the page. */
export function useDevice(kind: Kind, on: boolean, wanted: Wanted): DeviceState & { onAgain: () => void } {
  const { device_id, suppresses_noise } = wanted;
  const [tried, setTried] = useState<DeviceState>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!on) return;
    let stream: MediaStream | undefined;
    let left = false;
    const start = async () => {
      stream = await open(kind, wanted);
      if (left) stop(stream);
      else setTried({ stream });
    };
    start().catch((error: unknown) => {
      const is_denied = error instanceof Error && error.name === 'NotAllowedError';
      if (!left) setTried({ problem: explainDevice(kind, error), is_denied });
    });
    return () => {
      left = true;
      stop(stream);
      setTried({});
    };
  }, [kind, on, device_id, suppresses_noise, attempt]);
  return { ...tried, onAgain: useCallback(() => setAttempt((count) => count + 1), []) };
}

/**
 * The devices of this machine, updated as they change; undefined until they are read. Browsers only reveal names once
 * access was granted, so that they are read again when the microphone or the camera has been allowed. Until then a kind
 * of device that exists has one entry, without an identifier (Media Capture and Streams, section 9.2).
 */
export function useDeviceList(microphone: unknown, camera: unknown): readonly MediaDeviceInfo[] | undefined {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>();
  useEffect(() => {
    const media = navigator.mediaDevices;
    if (media === undefined) return setDevices([]);
    let left = false;
    const read = async () => {
      const all = await media.enumerateDevices();
      if (!left) setDevices(all);
    };
    // A browser that lists no devices uses its default.
    const reread = () => void read().catch(() => undefined);
    reread();
    media.addEventListener('devicechange', reread);
    return () => {
      left = true;
      media.removeEventListener('devicechange', reread);
    };
  }, [microphone, camera]);
  return devices;
}

const LEVEL_EVERY_MS = 100;
const METER_SAMPLES = 1024;

/** How long measuring may take to start after a user interaction; without a loudspeaker it never does in Firefox. */
const GIVE_UP_AFTER_MS = 3_000;

/**
 * The level of a microphone, 0 to 1, ten times a second; undefined while this page may not measure it, and `never`
 * where measuring is impossible.
 */
export function useLevel(stream: MediaStream | undefined): number | 'never' | undefined {
  const [level, setLevel] = useState<number | 'never'>();
  useEffect(() => {
    if (stream === undefined || typeof AudioContext === 'undefined') return;
    const audio = new AudioContext();
    const meter = createMeter(audio, stream, METER_SAMPLES);
    const read = () => {
      if (audio.state !== 'running') return;
      // From −60 dB, a quiet room, to −10 dB, loud speech.
      const level_db = 20 * Math.log10(meter.loudness() + 1e-5);
      setLevel(Math.min(1, Math.max(0, (level_db + 60) / 50)));
    };
    const timer = setInterval(read, LEVEL_EVERY_MS);
    // Requires a user interaction: the first one starts it.
    let giving_up: ReturnType<typeof setTimeout> | undefined;
    const run = () => {
      void audio.resume().catch(() => undefined);
      if (giving_up !== undefined || navigator.userActivation?.hasBeenActive === false) return;
      giving_up = setTimeout(() => (audio.state === 'running' ? undefined : setLevel('never')), GIVE_UP_AFTER_MS);
    };
    if (audio.state !== 'running') run();
    window.addEventListener('pointerdown', run);
    window.addEventListener('keydown', run);
    return () => {
      window.removeEventListener('pointerdown', run);
      window.removeEventListener('keydown', run);
      clearInterval(timer);
      clearTimeout(giving_up);
      meter.disconnect();
      void audio.close();
      setLevel(undefined);
    };
  }, [stream]);
  return level;
}
