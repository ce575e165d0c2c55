import { useRoomContext } from '@livekit/components-react';
import { Track } from 'livekit-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sdk } from '../../../asterism.ts';
import { useCallCaptions } from '../../../data/stream.ts';
import { hasCode } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { recordSpeech } from './record-speech.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The caption settings of a call. */
export interface Captions {
  /** Whether the service can transcribe the reader's speech. */
  is_possible: boolean;
  /** Whether it does: off until the reader switches it on, in each call. */
  is_on: boolean;
  switchOn: (on: boolean) => void;
  /** Whether there are captions that the reader may hide: those of others, also where their own speech has none. */
  may_hide: boolean;
  /** Whether there has been a caption in this call. */
  is_seen: boolean;
  /** Whether the reader sees others' captions. */
  is_shown: boolean;
  show: (shown: boolean) => void;
}

/**
 * Captions are switched off when the service has accepted no piece for so long, and refused so many: a short overload
 * only loses some.
 */
const GIVE_UP_AFTER_MS = 30_000;
const MAX_FAILURES = 3;

/** Sends the reader's speech for transcription while captions are on. */
export function useCaptions(join_code: string, is_possible: boolean): Captions {
  const room = useRoomContext();
  const [is_on, setOn] = useState(false);
  const [is_shown, setShown] = useState(true);
  const [is_seen, setSeen] = useState(false);
  useCallCaptions(
    join_code,
    useCallback(() => setSeen(true), []),
  );
  const refused = useRef({ count: 0, since_ms: 0 });
  useEffect(() => {
    if (!is_on) return;
    const startAnew = () => {
      refused.current = { count: 0, since_ms: performance.now() };
    };
    startAnew();
    const trackNow = () => {
      const microphone = room.localParticipant.getTrackPublication(Track.Source.Microphone);
      return microphone === undefined || microphone.isMuted ? undefined : microphone.track?.mediaStreamTrack;
    };
    const send = async (file: File) => {
      try {
        await sdk.callCaptions.captionSpeech({ path: { join_code }, file });
        startAnew();
      } catch (error) {
        // A piece that was refused for overload is skipped; the next one may succeed.
        if (hasCode(error, 'rate_limited')) return;
        refused.current.count += 1;
        const { count, since_ms } = refused.current;
        if (count < MAX_FAILURES || performance.now() - since_ms < GIVE_UP_AFTER_MS) return;
        setOn(false);
        showToast(i18n.t('Captions are off: your speech couldn’t be transcribed.'));
      }
    };
    return recordSpeech(trackNow, (file) => void send(file));
  }, [is_on, join_code, room]);
  const may_hide = is_possible || is_seen;
  return { is_possible, is_on, switchOn: setOn, may_hide, is_seen, is_shown, show: setShown };
}
