/**
 * Floods a room with reliable data messages, in a separate process so that its work does not affect measurements: one
 * sender, and receivers that check that nothing is missing. Prints `ready`, floods until its input closes, and prints
 * what was received.
 */
import { Room, RoomEvent } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';

const [url = '', api_key = '', api_secret = '', name = '', receivers = '4', per_second = '0'] = process.argv.slice(2);
const MESSAGE_BYTES = 1_000;
const TURN_MS = 20;

async function connect(identity: string): Promise<Room> {
  const token = new AccessToken(api_key, api_secret, { identity });
  token.addGrant({ roomJoin: true, room: name });
  const room = new Room();
  await room.connect(url, await token.toJwt(), { autoSubscribe: false, dynacast: false });
  return room;
}

/** The number of messages of each receiver, and how many were missing between them. */
const received: { messages: number; missing: number; next: number }[] = [];
for (let index = 0; index < Number(receivers); index++) {
  const room = await connect(`receiver-${index}`);
  const count = { messages: 0, missing: 0, next: 0 };
  received.push(count);
  room.on(RoomEvent.DataReceived, (payload: Uint8Array) => {
    const number = Buffer.from(payload).readUInt32BE(0);
    count.messages++;
    count.missing += Math.abs(number - count.next);
    count.next = number + 1;
  });
}
const sender = await connect('flooder');
let sent = 0;
function send(count: number): void {
  for (let index = 0; index < count; index++) {
    const message = Buffer.alloc(MESSAGE_BYTES);
    message.writeUInt32BE(sent++, 0);
    // A message that the connection does not accept any more is not counted as missing.
    sender.localParticipant?.publishData(message, { reliable: true }).catch(() => undefined);
  }
}
const messages_per_turn = Number(per_second) > 0 ? (Number(per_second) * TURN_MS) / 1000 : 200;
const clock = setInterval(() => send(messages_per_turn), TURN_MS);
process.stdout.write('ready\n');
process.stdin.resume();
process.stdin.once('end', () => {
  clearInterval(clock);
  process.stdout.write(`${JSON.stringify({ sent, received })}\n`);
  process.exit(0);
});
