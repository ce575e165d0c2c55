import { useRoomContext } from '@livekit/components-react';
import { Track } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { sdk } from '../../../asterism.ts';
import { hasCode } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { hearSpeech } from './hear-speech.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** Captions of a call, as the reader chose them. */
export interface Captions {
  /** Whether the service can write down what the reader says. */
  is_possible: boolean;
  /** Whether it does: off until they ask for it, in each call. */
  is_on: boolean;
  switchOn: (on: boolean) => void;
  /** Whether the reader sees what others had written down. */
  is_shown: boolean;
  show: (shown: boolean) => void;
}

/** So many pieces in a row that the service did not take end the captions. */
const MOST_FAILURES = 3;

/** Sends what the reader says to be written down for those in the call, for as long as they want it. */
export function useCaptions(join_code: string, is_possible: boolean): Captions {
  const room = useRoomContext();
  const [is_on, setOn] = useState(false);
  const [is_shown, setShown] = useState(true);
  const failures = useRef(0);
  useEffect(() => {
    if (!is_on) return;
    failures.current = 0;
    const trackNow = () => {
      const microphone = room.localParticipant.getTrackPublication(Track.Source.Microphone);
      return microphone === undefined || microphone.isMuted ? undefined : microphone.track?.mediaStreamTrack;
    };
    const send = async (file: File) => {
      try {
        await sdk.callCaptions.captionSpeech({ path: { join_code }, file });
        failures.current = 0;
      } catch (error) {
        // A piece that was too much is missed; the next one may get through.
        if (!hasCode(error, 'rate_limited')) failures.current += 1;
        if (failures.current < MOST_FAILURES) return;
        setOn(false);
        showToast(i18n.t('Captions are off: what you said could not be written down.'));
      }
    };
    return hearSpeech(trackNow, (file) => void send(file));
  }, [is_on, join_code, room]);
  return { is_possible, is_on, switchOn: setOn, is_shown, show: setShown };
}
