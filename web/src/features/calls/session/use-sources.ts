import { RoomEvent, Track } from 'livekit-client';
import type { Participant, TrackPublication } from 'livekit-client';
import { useEffect, useState } from 'react';
import { explainDevice, switchSource } from '../media/devices.ts';
import type { JoinedRoom } from '../media/use-room.ts';
import { saveSources } from '../state/saved-sources.ts';
import { createWantedSources } from '../state/wanted-sources.ts';
import type { Source } from '../state/wanted-sources.ts';
import { useMuteNotice } from './use-mute-notice.ts';

/** A device that could not be started, and what to do about it. */
export interface Refusal {
  source: Source;
  text: string;
  /** Closes the notice: the reader goes on without the device. */
  dismiss: () => void;
}

/**
 * Switches the reader's devices, and starts the wanted ones once the room is connected.
 * @param wanted the sources that are on when joining
 * @param continued those of a client that this one replaces, which apply instead
 */
export function useSources(
  join_code: string,
  { room, state, continued }: Pick<JoinedRoom, 'room' | 'state' | 'continued'>,
  wanted: readonly Source[],
) {
  const [refusal, setRefusal] = useState<Refusal>();
  const [sources] = useState(() => createWantedSources(wanted));
  const tellMuted = useMuteNotice(join_code);
  const change = async (source: Source, on: boolean) => {
    if (room === undefined) return;
    try {
      await switchSource(room.localParticipant, source, on);
      setRefusal((known) => (known?.source === source ? undefined : known));
    } catch (error) {
      const text = explainDevice(source, error);
      setRefusal(text === undefined ? undefined : { source, text, dismiss: () => setRefusal(undefined) });
    }
  };
  const connected = state === 'connected';
  useEffect(() => {
    if (!connected || room === undefined) return;
    const starting = sources.startIn(room, continued);
    saveSources(join_code, sources.list());
    const start = async () => {
      for (const source of starting) await change(source, true);
    };
    void start();
  }, [room, connected]);
  useEffect(() => {
    // The reader's own switch is noted before the track is muted.
    const onMuted = ({ source }: TrackPublication, { isLocal }: Participant) => {
      if (!isLocal || source !== Track.Source.Microphone || !sources.list().includes('microphone')) return;
      sources.note('microphone', false);
      saveSources(join_code, sources.list());
      tellMuted();
    };
    room?.on(RoomEvent.TrackMuted, onMuted);
    return () => void room?.off(RoomEvent.TrackMuted, onMuted);
  }, [room, sources, tellMuted]);
  const choose = (source: Source, on: boolean) => {
    sources.note(source, on);
    saveSources(join_code, sources.list());
    void change(source, on);
  };
  return { refusal, choose, listWanted: sources.list };
}
