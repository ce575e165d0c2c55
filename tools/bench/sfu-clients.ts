import { AccessToken } from 'livekit-server-sdk';
import {
  AudioFrame,
  AudioSource,
  dispose,
  LocalAudioTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';

/**
 * The clients of `sfu.ts`, in a separate process so that their CPU time is not counted: N people in a room, some or all
 * of them publishing a tone and subscribed to all others. Prints one line of JSON when everybody receives everybody,
 * and exits when its input closes.
 */
const [url = '', count = '10', api_key = '', api_secret = '', talking = count, room_count = '1'] =
  process.argv.slice(2);
const people = Number(count);
const wanted = Number(room_count) * Number(talking) * (people - 1);
const RATE = 48_000;
let subscribed = 0;
const player = { playing: true };

async function connect(index: number, name: string): Promise<Room> {
  const token = new AccessToken(api_key, api_secret, { identity: `talker-${index}` });
  token.addGrant({ roomJoin: true, room: name });
  const room = new Room();
  room.on(RoomEvent.TrackSubscribed, () => {
    if (++subscribed === wanted) process.stdout.write(`${JSON.stringify({ bench: 'ready' })}\n`);
  });
  await room.connect(url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
  return room;
}

async function play(room: Room, index: number): Promise<void> {
  const source = new AudioSource(RATE, 1);
  const options = new TrackPublishOptions();
  options.source = TrackSource.SOURCE_MICROPHONE;
  // Without redundancy and silence suppression every server gets the same packets.
  options.red = false;
  options.dtx = false;
  await room.localParticipant?.publishTrack(LocalAudioTrack.createAudioTrack('tone', source), options);
  const hertz = 300 + 50 * index;
  for (let phase = 0; player.playing;) {
    const frame = AudioFrame.create(RATE, 1, RATE / 50);
    for (let i = 0; i < frame.data.length; i++, phase++)
      frame.data[i] = Math.round(12_000 * Math.sin((2 * Math.PI * hertz * phase) / RATE));
    await source.captureFrame(frame);
  }
}

const rooms: Room[] = [];
const talkers: { room: Room; index: number }[] = [];
for (let at = 0; at < Number(room_count); at++)
  for (let index = 0; index < people; index++) {
    const room = await connect(index, `bench-${at}`);
    rooms.push(room);
    if (index < Number(talking)) talkers.push({ room, index });
  }
const tones = talkers.map(({ room, index }) => play(room, index));
process.stdin.resume();
process.stdin.once('close', () => {
  player.playing = false;
  void Promise.allSettled(tones)
    .then(() => Promise.allSettled(rooms.map((room) => room.disconnect())))
    .then(() => dispose())
    .then(() => process.exit(0));
});
