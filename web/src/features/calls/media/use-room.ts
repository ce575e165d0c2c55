import type { Reply } from '@asterism/sdk';
import { Room, RoomEvent } from 'livekit-client';
import type { DisconnectReason } from 'livekit-client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { sdk } from '../../../asterism.ts';
import { prepareEffects } from '../effects/room-effects.ts';
import { readChoices } from '../state/kept-choices.ts';
import { connectRoom } from './connect-room.ts';

/** How the media connection stands. */
export type RoomState =
  | 'joining'
  | 'connected'
  | 'reconnecting'
  | { ended: DisconnectReason | undefined }
  | { problem: unknown };

export type JoinedRoom = {
  room: Room | undefined;
  state: RoomState;
  /** Whether the service can write down what is said. */
  has_captions: boolean;
  /** Resolves once no grant is under way: one that comes after its owner has left would bring them back into the call. */
  granted: () => Promise<void>;
};

type SfuGrant = Reply<'calls', 'createSfuGrant'>;

const askGrantHere = (join_code: string): Promise<SfuGrant> =>
  sdk.calls.createSfuGrant({ path: { join_code }, body: { asks_consent: true } });

/**
 * Joins the media room of a call, and leaves it when its user is taken away.
 * @param askGrant asks for the way in; as the reader's account unless told otherwise
 */
export function useRoom(join_code: string, askGrant = askGrantHere): JoinedRoom {
  const asking = useRef<Promise<unknown>>(undefined);
  const [room, setRoom] = useState<Room>();
  const [state, setState] = useState<RoomState>('joining');
  const [has_captions, setHasCaptions] = useState(false);
  useEffect(() => {
    const { audioinput, videoinput, audiooutput } = readChoices();
    const opened = new Room({
      adaptiveStream: true,
      dynacast: true,
      // The way that every media server speaks; a try of the newer one first costs a refused connection.
      singlePeerConnection: false,
      // The client would leave already when the browser asks whether to close the window; we leave when it is closed.
      disconnectOnPageLeave: false,
      ...(audioinput === undefined ? {} : { audioCaptureDefaults: { deviceId: audioinput } }),
      ...(videoinput === undefined ? {} : { videoCaptureDefaults: { deviceId: videoinput } }),
      ...(audiooutput === undefined ? {} : { audioOutput: { deviceId: audiooutput } }),
    });
    prepareEffects(opened);
    let left = false;
    let has_connected = false;
    const tell = (next: RoomState) => {
      if (!left) setState(next);
    };
    opened
      .on(RoomEvent.Reconnecting, () => tell('reconnecting'))
      .on(RoomEvent.Reconnected, () => tell('connected'))
      // A try that fails says so as well, and another may follow.
      .on(RoomEvent.Disconnected, (reason) => {
        if (has_connected) tell({ ended: reason });
      });
    const askForGrant = async () => {
      const asked = askGrant(join_code);
      asking.current = asked.catch(() => undefined);
      const grant = await asked;
      if (!left) setHasCaptions(grant.captions);
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
  return { room, state, has_captions, granted };
}
