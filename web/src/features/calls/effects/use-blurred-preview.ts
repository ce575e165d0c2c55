import { useEffect, useState } from 'react';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { blurTrack, describeTooSlow } from './blur-track.ts';
import type { BlurredTrack } from './blur-track.ts';
import { i18n } from '../../../i18n/i18n.ts';

/**
 * The camera preview in the lobby, blurred if that is on.
 * @param onOff switches blur off when this device is too slow
 * @returns undefined while the blur starts
 */
export function useBlurredPreview(stream: MediaStream | undefined, on: boolean, onOff: () => void) {
  const [blurred, setBlurred] = useState<{ of: MediaStream; stream: MediaStream }>();
  useEffect(() => {
    const camera = stream?.getVideoTracks()[0];
    if (!on || stream === undefined || camera === undefined) return;
    let left = false;
    let begun: BlurredTrack | undefined;
    const giveUp = (text: string) => {
      if (left) return;
      showToast(text);
      onOff();
    };
    const start = async () => {
      begun = await blurTrack(camera, () => giveUp(describeTooSlow()));
      if (left) await begun.stop();
      else setBlurred({ of: stream, stream: new MediaStream([begun.track]) });
    };
    start().catch(() => giveUp(i18n.t('Your background couldn’t be blurred. Check your connection and try again.')));
    return () => {
      left = true;
      setBlurred(undefined);
      void begun?.stop();
    };
  }, [stream, on]);
  if (!on) return stream;
  return blurred?.of === stream ? blurred?.stream : undefined;
}
