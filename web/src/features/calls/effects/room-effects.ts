import { Track } from 'livekit-client';
import type { Room } from 'livekit-client';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { saveChoices, readChoices } from '../../../media/saved-choices.ts';
import { BlurProcessor } from './blur-processor.ts';
import { canBlur, describeTooSlow } from './blur-track.ts';
import { soundConstraints } from './sound.ts';

const cameraOf = (room: Room) => room.localParticipant.getTrackPublication(Track.Source.Camera)?.videoTrack;

function createProcessor(room: Room): BlurProcessor {
  return new BlurProcessor(() => {
    saveChoices({ is_blurred: false });
    showToast(describeTooSlow());
    void setBlur(room, false);
  });
}

/** Applies the saved effects to a room that is not connected yet. */
export function prepareEffects(room: Room): void {
  const { is_blurred, suppresses_noise } = readChoices();
  room.options.audioCaptureDefaults = { ...room.options.audioCaptureDefaults, ...soundConstraints(suppresses_noise) };
  if (is_blurred && canBlur())
    room.options.videoCaptureDefaults = { ...room.options.videoCaptureDefaults, processor: createProcessor(room) };
}

/**
 * Switches background blur of the own camera in a call, now or when it is started.
 * @throws an error when blur could not be started; the picture is then unchanged
 */
export async function setBlur(room: Room, on: boolean): Promise<void> {
  const camera = cameraOf(room);
  const { processor: _, ...plain } = room.options.videoCaptureDefaults ?? {};
  if (!on) {
    room.options.videoCaptureDefaults = plain;
    // For a disabled camera only the processor is removed; the rest happens when it is enabled again.
    await camera?.stopProcessor(false).catch((error: unknown) => {
      if (!camera.isMuted) throw error;
    });
    return;
  }
  const processor = createProcessor(room);
  await camera?.setProcessor(processor);
  room.options.videoCaptureDefaults = { ...plain, processor };
}

/** Reopens the own microphone in a call, with or without noise suppression. */
export async function setNoiseSuppression(room: Room, on: boolean): Promise<void> {
  const sound = { ...room.options.audioCaptureDefaults, ...soundConstraints(on) };
  room.options.audioCaptureDefaults = sound;
  const microphone = room.localParticipant.getTrackPublication(Track.Source.Microphone)?.audioTrack;
  if (microphone === undefined) return;
  const deviceId = (await microphone.getDeviceId(false)) ?? 'default';
  await microphone.restartTrack({ ...sound, deviceId });
}
