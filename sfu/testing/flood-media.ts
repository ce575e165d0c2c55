/**
 * Floods a room with audio packets of several clients, in a separate process of low priority, so that its work affects
 * measurements as little as possible: it encrypts as much as the media server decrypts. Prints `ready`, floods until its input closes, and prints how many packets were sent.
 */
import { setPriority } from 'node:os';
import { AddTrackRequest, SessionDescription, SignalTarget, TrackSource, TrackType } from '@livekit/protocol';
import { AccessToken } from 'livekit-server-sdk';
import { createSendingPeer, type SendingPeer } from '../clients/phone/sending-peer.ts';
import { RoomListener } from '../clients/recorder/room-listener.ts';

const [url = '', api_key = '', api_secret = '', name = '', clients = '40', per_second = '400'] = process.argv.slice(2);
const TURN_MS = 10;
/** As long as Opus of 24 kbit/s. */
const payload = Buffer.alloc(60, 0xfc);

async function join(identity: string): Promise<SendingPeer> {
  const token = new AccessToken(api_key, api_secret, { identity });
  token.addGrant({ roomJoin: true, room: name });
  const published = Promise.withResolvers<void>();
  let peer: SendingPeer | undefined;
  const listener = await RoomListener.join(url.replace('ws', 'http'), await token.toJwt(), {
    onTracks: () => undefined,
    onPacket: () => undefined,
    onSpeaking: () => undefined,
    onEnd: () => published.reject(new Error('the session has ended')),
    onOther(message) {
      if (!peer) return;
      if (message.case === 'trackPublished') void offer(peer);
      else if (message.case === 'answer')
        peer.acceptAnswer(message.value.sdp).then(published.resolve, published.reject);
      else if (message.case === 'trickle' && message.value.target === SignalTarget.PUBLISHER)
        peer.addCandidate(message.value.candidateInit);
    },
  });
  async function offer(one: SendingPeer): Promise<void> {
    const sdp = await one.createOffer();
    listener.request({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: 1 }) });
  }
  peer = await createSendingPeer(listener.host, published.reject);
  const { MICROPHONE: source } = TrackSource;
  const value = new AddTrackRequest({ cid: peer.cid, name: 'flood', type: TrackType.AUDIO, source });
  listener.request({ case: 'addTrack', value });
  await published.promise;
  return peer;
}

setPriority(19);
const peers: SendingPeer[] = [];
for (let index = 0; index < Number(clients); index++) peers.push(await join(`flooder-${index}`));
let sent = 0;
let sequence = 0;
const started_at_ms = performance.now();
let due = 0;
const clock = setInterval(() => {
  const wanted = Math.floor(((performance.now() - started_at_ms) / 1000) * Number(per_second));
  // What a busy process could not send in a second is not made up for.
  for (due = Math.max(due, wanted - Number(per_second)); due < wanted; due++) {
    sequence = (sequence + 1) & 0xffff;
    for (const peer of peers) peer.send({ sequence, timestamp: sequence * 120, marker: false, level_db: 20, payload });
    sent += peers.length;
  }
}, TURN_MS);
process.stdout.write('ready\n');
process.stdin.resume();
process.stdin.once('end', () => {
  clearInterval(clock);
  const seconds = (performance.now() - started_at_ms) / 1000;
  process.stdout.write(`${JSON.stringify({ sent, per_second: Math.round(sent / seconds), received: [] })}\n`);
  process.exit(0);
});
