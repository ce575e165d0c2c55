import type { LocalParticipant } from 'livekit-client';
import type { Source } from '../state/wanted-sources.ts';

/** Switches a device on or off. */
export async function switchSource(me: LocalParticipant, source: Source, on: boolean): Promise<void> {
  // Without TLS browsers provide no devices, except on localhost.
  if (on && navigator.mediaDevices === undefined) throw Object.assign(new Error(), { name: 'NotAllowedError' });
  if (source === 'microphone') await me.setMicrophoneEnabled(on);
  else if (source === 'camera') await me.setCameraEnabled(on);
  else await me.setScreenShareEnabled(on);
}
