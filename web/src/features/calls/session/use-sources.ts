import { RoomEvent, Track } from 'livekit-client';
import type { Participant, TrackPublication } from 'livekit-client';
import { useEffect, useState } from 'react';
import { switchSource } from '../media/devices.ts';
import { addFailure, explainDevices } from '../media/explain-devices.ts';
import type { DeviceFailure } from '../media/explain-devices.ts';
import type { JoinedRoom } from '../media/use-room.ts';
import { saveSources } from '../state/saved-sources.ts';
import { createWantedSources } from '../state/wanted-sources.ts';
import type { Source } from '../state/wanted-sources.ts';
import { useMuteNotice } from './use-mute-notice.ts';

/** The devices that could not be started, and what to do about it. */
export interface Refusal {
  sources: readonly Source[];
  texts: readonly string[];
  /** Closes the notice: the reader goes on without the devices. */
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
  const [failures, setFailures] = useState<readonly DeviceFailure[]>([]);
  const [sources] = useState(() => createWantedSources(wanted));
  const tellMuted = useMuteNotice(join_code);
  const change = async (source: Source, on: boolean) => {
    if (room === undefined) return;
    try {
      await switchSource(room.localParticipant, source, on);
      setFailures((known) => known.filter((one) => one.source !== source));
    } catch (error) {
      setFailures((known) => addFailure(known, { source, error }));
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
  const texts = explainDevices(failures);
  const refusal: Refusal | undefined =
    texts.length === 0
      ? undefined
      : { sources: failures.map(({ source }) => source), texts, dismiss: () => setFailures([]) };
  return { refusal, choose, listWanted: sources.list };
}
