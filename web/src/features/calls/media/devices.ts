import type { LocalParticipant } from 'livekit-client';
import type { Source } from '../state/wanted-sources.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** What to do when a device could not be used. @returns undefined when the reader only closed the chooser */
export function explainDevice(source: Source, error: unknown): string | undefined {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') {
    if (source === 'screen') return undefined;
    return i18n.t(
      '{source, select, camera {Your browser doesn’t let Asterism use the camera. Press the icon beside the address, allow the camera for this page, and try again. You can stay and listen meanwhile.} other {Your browser doesn’t let Asterism use the microphone. Press the icon beside the address, allow the microphone for this page, and try again. You can stay and listen meanwhile.}}',
      { source },
    );
  }
  if (name === 'NotFoundError')
    return i18n.t(
      '{source, select, camera {No camera was found on this device.} screen {No screen was found on this device.} other {No microphone was found on this device.}}',
      { source },
    );
  if (name === 'NotReadableError')
    return i18n.t(
      '{source, select, camera {Another program is using the camera. Close it and try again.} screen {Another program is using the screen. Close it and try again.} other {Another program is using the microphone. Close it and try again.}}',
      { source },
    );
  if (name === 'BlurError')
    return i18n.t(
      'Your background couldn’t be blurred, so your camera stays off. Try again, or turn off blur under Devices.',
    );
  return i18n.t(
    '{source, select, camera {The camera couldn’t be started.} screen {The screen couldn’t be started.} other {The microphone couldn’t be started.}}',
    { source },
  );
}

/** Switches a device on or off. */
export async function switchSource(me: LocalParticipant, source: Source, on: boolean): Promise<void> {
  // Without TLS browsers provide no devices, except on localhost.
  if (on && navigator.mediaDevices === undefined) throw Object.assign(new Error(), { name: 'NotAllowedError' });
  if (source === 'microphone') await me.setMicrophoneEnabled(on);
  else if (source === 'camera') await me.setCameraEnabled(on);
  else await me.setScreenShareEnabled(on);
}
