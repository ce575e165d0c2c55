import type { LocalParticipant } from 'livekit-client';
import type { Source } from '../state/wanted-sources.ts';

const SOURCE_NAMES: Readonly<Record<Source, string>> = { microphone: 'microphone', camera: 'camera', screen: 'screen' };

/**
 * Says what to do when a device could not be used.
 * @returns undefined when the reader has only closed the chooser
 */
export function explainDevice(source: Source, error: unknown): string | undefined {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    if (source === 'screen') return undefined;
    return (
      `Your browser does not let Asterism use the ${source}. Press the icon beside the address, ` +
      `allow the ${source} for this page, and try again. You can stay and listen meanwhile.`
    );
  }
  if (name === 'NotFoundError') return `No ${SOURCE_NAMES[source]} was found on this device. You can stay and listen.`;
  if (name === 'NotReadableError')
    return `Another program is using the ${SOURCE_NAMES[source]}. Close it and try again.`;
  if (name === 'BlurError')
    return 'Your background could not be blurred, so your camera stays off. Try again, or switch blur off under Devices.';
  return `The ${SOURCE_NAMES[source]} could not be started.`;
}

/** Switches a device on or off. */
export async function switchSource(me: LocalParticipant, source: Source, on: boolean): Promise<void> {
  // Without TLS the browser offers no devices at all, except on this very machine.
  if (on && navigator.mediaDevices === undefined) throw Object.assign(new Error(), { name: 'NotAllowedError' });
  if (source === 'microphone') await me.setMicrophoneEnabled(on);
  else if (source === 'camera') await me.setCameraEnabled(on);
  else await me.setScreenShareEnabled(on);
}
