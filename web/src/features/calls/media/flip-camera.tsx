import { useLocalParticipant, useMediaDevices } from '@livekit/components-react';
import { LocalVideoTrack } from 'livekit-client';
import { SwitchCamera } from 'lucide-react';
import { useState } from 'react';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { CallButton } from '../call-button.tsx';
import { i18n } from '../../../i18n/i18n.ts';

/** Whether a camera looks away from its owner (`facingMode`, W3C Media Capture and Streams). */
export const isRear = (track: MediaStreamTrack | undefined): boolean =>
  track?.getSettings().facingMode === 'environment';

/** Switches between the front and the rear camera, while the camera is on and the device has several. */
export function FlipButton() {
  const { isCameraEnabled, cameraTrack } = useLocalParticipant();
  const cameras = useMediaDevices({ kind: 'videoinput' });
  const [is_pending, setPending] = useState(false);
  const track = cameraTrack?.track;
  if (!isCameraEnabled || cameras.length < 2 || !(track instanceof LocalVideoTrack)) return null;
  const flip = async () => {
    if (is_pending) return;
    setPending(true);
    try {
      await track.restartTrack({ facingMode: isRear(track.mediaStreamTrack) ? 'user' : 'environment' });
    } catch (error) {
      showToast(describeProblem(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <CallButton icon={SwitchCamera} label={i18n.t('Flip camera')} short={i18n.t('Flip')} onPress={() => void flip()} />
  );
}
