import type { Reply } from '@asterism/sdk';
import { Room, RoomEvent } from 'livekit-client';
import type { DisconnectReason } from 'livekit-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sdk } from '../../../asterism.ts';
import { prepareEffects } from '../effects/room-effects.ts';
import { readChoices } from '../../../media/saved-choices.ts';
import { connectRoom } from '../../../media/connect-room.ts';
import type { Source } from '../state/wanted-sources.ts';
import { RECONNECT_POLICY } from './reconnect-policy.ts';

/** The state of the media connection. */
export type RoomState =
  | 'joining'
  | 'connected'
  | 'reconnecting'
  | { ended: DisconnectReason | undefined }
  | { problem: unknown };

/** The media room of a call, and the state of the connection to it. */
export type JoinedRoom = {
  room: Room | undefined;
  state: RoomState;
  /** Whether the service can transcribe speech. */
  has_captions: boolean;
  /** What is on at another client of the reader, which this one replaces; undefined without one. */
  continued: readonly Source[] | undefined;
  /**
   * Resolves once no grant request is pending: a grant issued after leaving would put the reader back into the call.
   */
  granted: () => Promise<void>;
};

type SfuGrant = Reply<'calls', 'createSfuGrant'>;

const askGrantHere = (join_code: string): Promise<SfuGrant> =>
  sdk.calls.createSfuGrant({ path: { join_code }, body: { asks_consent: true } });

/**
 * Joins the media room of a call, and leaves it on unmount.
 * @param askGrant requests a grant; as the reader's account by default
 */
export function useRoom(join_code: string, askGrant = askGrantHere): JoinedRoom {
  const asking = useRef<Promise<unknown>>(undefined);
  const [room, setRoom] = useState<Room>();
  const [state, setState] = useState<RoomState>('joining');
  const [has_captions, setHasCaptions] = useState(false);
  const [continued, setContinued] = useState<readonly Source[]>();
  useEffect(() => {
    const { audioinput, videoinput, audiooutput } = readChoices();
    const opened = new Room({
      adaptiveStream: true,
      dynacast: true,
      // The signalling path that every media server supports; trying the newer one first costs a refused connection.
      singlePeerConnection: false,
      // The client would leave as soon as the browser asks whether to close the window; we leave when it is closed.
      disconnectOnPageLeave: false,
      reconnectPolicy: RECONNECT_POLICY,
      ...(audioinput === undefined ? {} : { audioCaptureDefaults: { deviceId: audioinput } }),
      ...(videoinput === undefined ? {} : { videoCaptureDefaults: { deviceId: videoinput } }),
      ...(audiooutput === undefined ? {} : { audioOutput: { deviceId: audiooutput } }),
    });
    prepareEffects(opened);
    let left = false;
    let [has_asked, has_connected] = [false, false];
    const tell = (next: RoomState) => {
      if (!left) setState(next);
    };
    opened
      .on(RoomEvent.Reconnecting, () => tell('reconnecting'))
      .on(RoomEvent.Reconnected, () => tell('connected'))
      // A failed attempt emits this as well, and another may follow.
      .on(RoomEvent.Disconnected, (reason) => {
        if (has_connected) tell({ ended: reason });
      });
    const askForGrant = async () => {
      const asked = askGrant(join_code);
      asking.current = asked.catch(() => undefined);
      const grant = await asked;
      if (left) return grant;
      setHasCaptions(grant.captions);
      // A second attempt would find the first, which has turned on nothing yet.
      if (!has_asked) setContinued(grant.sources);
      has_asked = true;
      return grant;
    };
    const join = async () => {
      await connectRoom(opened, askForGrant, () => left);
      has_connected = true;
      tell('connected');
    };
    const leave = () => void opened.disconnect();
    addEventListener('pagehide', leave);
    setState('joining');
    setRoom(opened);
    join().catch((problem: unknown) => tell({ problem }));
    return () => {
      left = true;
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [join_code]);
  const granted = useCallback(async () => void (await asking.current), []);
  return { room, state, has_captions, continued, granted };
}
