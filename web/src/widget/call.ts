/** The media of a guest's call. Loaded when a call starts, since it is many times as large as the rest of the frame. */
import { Room, RoomEvent, Track } from 'livekit-client';
import { connectRoom } from '../media/connect-room.ts';
import type { SfuGrant } from './api.ts';

export type Media = {
  setMicrophone(on: boolean): Promise<void>;
  close(): Promise<void>;
};

/** Connects to the room of a call with the microphone, and attaches received tracks to `place`. */
export async function openMedia(grant: SfuGrant, place: HTMLElement, onGone: () => void): Promise<Media> {
  const room = new Room({ adaptiveStream: true });
  room.on(RoomEvent.TrackSubscribed, (track) => {
    const element = track.attach();
    element.dataset['track'] = track.kind;
    if (track.kind === Track.Kind.Video) element.className = 'call-video';
    place.append(element);
  });
  room.on(RoomEvent.TrackUnsubscribed, (track) => {
    for (const element of track.detach()) element.remove();
  });
  await connectRoom(
    room,
    async () => grant,
    () => false,
  );
  // Subscribed only now: a failed attempt to connect emits this event as well, and may be retried.
  room.on(RoomEvent.Disconnected, onGone);
  await room.localParticipant.setMicrophoneEnabled(true);
  return {
    setMicrophone: async (on) => void (await room.localParticipant.setMicrophoneEnabled(on)),
    close: () => room.disconnect(),
  };
}
