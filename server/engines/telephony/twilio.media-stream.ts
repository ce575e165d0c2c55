/** One phone's audio by Twilio's media streams (https://www.twilio.com/docs/voice/media-streams/websocket-messages). */
import type { PhoneSocket, JoinedPhone, PhoneParticipants } from '../ports.ts';
import { decodeMulaw, encodeMulaw } from './twilio.mulaw.ts';
import type { StreamTokens } from './twilio.stream-tokens.ts';

/** 20 ms at 8 kHz. */
const FRAME_BYTES = 160;
/** More than a second of audio in one message is invalid. */
const MAX_FRAME_BYTES = 8_000;
/** How long a connection may take to identify itself, in ms. */
const hello_ms = 10_000;

/** What a message says that is used here; empty where it says nothing, or not as text. */
type Message = { event: string; stream_sid: string; token: string; payload: string; digit: string };

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Anybody can connect: nothing about a message is certain. */
function parse(text: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It is ignored, as a message without fields.
  }
  const { event, streamSid, start, media, dtmf } = fieldsOf(value);
  const { token } = fieldsOf(fieldsOf(start)['customParameters']);
  return {
    event: textOf(event),
    stream_sid: textOf(streamSid),
    token: textOf(token),
    payload: textOf(fieldsOf(media)['payload']),
    digit: textOf(fieldsOf(dtmf)['digit']),
  };
}

/** Relays audio between a connection and the room of the leg that its token names, until one of them ends. */
export function relayMediaStream(
  socket: PhoneSocket,
  phone_participants: PhoneParticipants,
  tokens: StreamTokens,
  streams: Set<{ leg_id: string; end(): void }>,
) {
  let participant: JoinedPhone | undefined;
  let rest = Buffer.alloc(0);
  let has_begun = false;
  const ended = new AbortController();
  const entry = { leg_id: '', end };
  const hello = setTimeout(end, hello_ms);

  function end(): void {
    if (ended.signal.aborted) return;
    ended.abort();
    clearTimeout(hello);
    streams.delete(entry);
    participant?.leave();
    socket.close();
  }

  async function begin({ stream_sid, token }: Message): Promise<void> {
    const leg = has_begun ? undefined : tokens.read(token);
    if (!leg) return end();
    has_begun = true;
    clearTimeout(hello);
    entry.leg_id = leg.leg_id;
    streams.add(entry);
    const onAudio = (samples: Int16Array) => {
      const payload = encodeMulaw(samples).toString('base64');
      socket.send(JSON.stringify({ event: 'media', streamSid: stream_sid, media: { payload } }));
    };
    const joined = await phone_participants.join(leg, { onAudio, onEnd: end });
    // The phone may have hung up meanwhile.
    if (ended.signal.aborted) joined.leave();
    else participant = joined;
  }

  function receiveAudio(payload: string): void {
    const bytes = Buffer.concat([rest, Buffer.from(payload.slice(0, 2 * MAX_FRAME_BYTES), 'base64')]);
    let at = 0;
    for (; at + FRAME_BYTES <= bytes.length; at += FRAME_BYTES)
      participant?.speak(decodeMulaw(bytes.subarray(at, at + FRAME_BYTES)));
    rest = bytes.subarray(at);
  }

  socket.onClose(end);
  socket.onText((text) => {
    const message = parse(text);
    if (message.event === 'start') begin(message).catch(end);
    // Before it is known which phone this is, nothing is decoded.
    else if (message.event === 'media' && has_begun) receiveAudio(message.payload);
    else if (message.event === 'dtmf' && /^[0-9*#A-D]$/.test(message.digit)) participant?.sendDigits(message.digit);
    else if (message.event === 'stop') end();
  });
}
