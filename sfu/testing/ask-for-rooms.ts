import { RoomServiceClient } from 'livekit-server-sdk';

type Target = { url: string; api_key: string; api_secret: string };

/** Whether a media server has a room, by its API, for the recorder. */
export function askForRooms({ url, api_key, api_secret }: Target): (room: string) => Promise<boolean> {
  const rooms = new RoomServiceClient(url, api_key, api_secret);
  return async (room) => (await rooms.listRooms([room])).length > 0;
}
