import {
  AddTrackRequest,
  DataPacket,
  SessionDescription,
  SignalRequest,
  TrackType,
  UpdateParticipantMetadata,
  UpdateSubscription,
  UpdateTrackSettings,
  UserPacket,
} from '@livekit/protocol';
import * as werift from 'werift';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routeData } from './rooms/data-channel.ts';
import { LIMITS } from './limits.ts';
import { findPrimary } from './forwarding/red.ts';
import { Registry } from './rooms/registry.ts';
import type { ConnectionEvents, MediaConnection } from './forwarding/rtp-engine.ts';
import { readDescription, requireValidDescription } from './sdp/sdp.ts';
import { writeAnswer, writeOffer } from './sdp/sdp-writer.ts';
import { SignalSession } from './signal/signal-session.ts';
import { createBindingRequest } from './testing/binding-request.ts';
import { garble, garbleLines, readHostile, type Random } from './testing/hostile-input.ts';
import { openAssociation, repairChecksum } from './testing/sctp-association.ts';
import { TokenError, verifyToken, type Grants } from './token.ts';
import { readControl, readFeedback, writeBandwidth, writeNack, writeReceiverReports } from './transport/control.ts';
import { examineSctp } from './transport/sctp/sctp-guard.ts';
import { readBindingRequest } from './transport/stun.ts';
import { createVp8Rewriter, parseVp8 } from './forwarding/vp8.ts';
import { slow } from '../testing/slow-tests.ts';

// Unhandled rejections would end the process.
const unhandled: unknown[] = [];
const record = (error: unknown) => void unhandled.push(error);
beforeAll(() => void process.on('unhandledRejection', record));
afterAll(() => void process.off('unhandledRejection', record));

const transport = {
  ufrag: 'abcd',
  password: 'efghijklmnopqrstuvwxyz',
  fingerprints: [{ algorithm: 'sha-256', value: 'AA:BB' }],
  setup: 'actpass' as const,
  candidates: [{ ip: '203.0.113.5', port: 7882, protocol: 'udp' as const }],
};
const stream = { ssrc: 5, rtx_ssrc: 6, stream_id: 'PA_1', track_id: 'TR_1', stereo: true };
const OFFER = writeOffer(
  1,
  [
    { mid: '1', kind: 'audio', stream },
    { mid: '2', kind: 'video', stream },
    { mid: '3', kind: 'video', stream: undefined },
  ],
  transport,
);
const randomBytes = (random: Random, max_length: number): Buffer =>
  Buffer.from(Array.from({ length: random(max_length) }, () => random(256)));

test('session descriptions', slow, async () => {
  const read = (sdp: string) => {
    requireValidDescription(sdp, LIMITS.sdp_sections);
    return writeAnswer(1, readDescription(sdp).sections, transport, () => ({ dtx: true, stereo: false, red: true }));
  };
  expect(read(OFFER)).toContain('VP8');
  await readHostile(3_000, (random) => garbleLines(OFFER, random), read, true);
});

const grants = {
  identity: 'mallory',
  name: '',
  metadata: '',
  attributes: {},
  kind: '',
  room: 'room',
  can_publish: true,
  can_subscribe: true,
  can_publish_data: true,
  can_update_own_metadata: true,
  can_publish_sources: [],
} as unknown as Grants;

/** Adds a participant to a room, with an engine that transmits nothing. */
async function join(identity: string) {
  const channel = { isOpen: () => true, bufferedBytes: () => 0, send: () => undefined };
  const out = { mid: '1', ssrc: 5, isAnswered: () => true, takesRed: () => false };
  const connection = new Proxy({} as MediaConnection, {
    get: (_, name) => () =>
      name === 'openDataChannel'
        ? channel
        : name === 'addOutgoing'
          ? { ...out, ...no_outgoing }
          : name === 'lastSeenAt'
            ? 0
            : OFFER,
  });
  const no_outgoing = {
    send: () => undefined,
    resend: () => undefined,
    sendReport: () => undefined,
    stop: () => undefined,
  };
  const events: ConnectionEvents[] = [];
  const registry = new Registry({
    settings: { empty_timeout_s: 60, departure_timeout_s: 10, max_participants: 0, metadata: '' },
    loadEngine: async () => ({
      createConnection(its_events) {
        events.push(its_events);
        return connection;
      },
    }),
    onWebhook: () => undefined,
    log: () => undefined,
  });
  const found = await registry.join({ ...grants, identity }, true);
  if (!found) throw new Error('the room is full');
  return { ...found, events, registry };
}

test('signal frames', slow, async () => {
  const { room, participant, registry } = await join('mallory');
  const track = new AddTrackRequest({ cid: 'camera', type: TrackType.VIDEO, name: 'x', layers: [{}, {}, {}] });
  const sid = participant.announceTrack(track)?.info.sid ?? '';
  const requests: SignalRequest['message'][] = [
    { case: 'offer', value: new SessionDescription({ type: 'offer', sdp: OFFER, id: 1 }) },
    { case: 'answer', value: new SessionDescription({ type: 'answer', sdp: OFFER, id: 1 }) },
    { case: 'addTrack', value: track },
    { case: 'subscription', value: new UpdateSubscription({ trackSids: [sid], subscribe: true }) },
    { case: 'trackSetting', value: new UpdateTrackSettings({ trackSids: [sid], width: 3, height: 4 }) },
    { case: 'updateMetadata', value: new UpdateParticipantMetadata({ name: 'n', attributes: { a: 'b' } }) },
    { case: 'ping', value: 1n },
  ];
  const frames = requests.map((message) => new SignalRequest({ message }).toBinary());
  let answered = 0;
  participant.signal = { send: () => void answered++, close: () => undefined };
  await readHostile(
    3_000,
    (random) => garble(frames[random(frames.length)] ?? new Uint8Array(), random),
    (frame) =>
      // One session per frame, since the first error ends it.
      new SignalSession(room, participant, () => undefined).receive(frame, true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(answered).toBeGreaterThan(0);
  expect(participant.publisher.tracks.size).toBeLessThanOrEqual(LIMITS.tracks_per_participant);
  registry.close();
});

test('STUN binding requests', slow, async () => {
  const check = createBindingRequest('abcd', 'password', true);
  expect(readBindingRequest(check)?.isSignedWith('password')).toBe(true);
  await readHostile(
    5_000,
    (random) => (random(4) === 0 ? randomBytes(random, 200) : garble(check, random)),
    (data) => expect(readBindingRequest(data)?.isSignedWith('another')).not.toBe(true),
  );
});

test('audio and video payloads', async () => {
  const vp8 = Buffer.from([0x90, 0xe0, 0x81, 0x02, 0x03, 0x20, 0x00, 1, 2, 3]);
  const red = Buffer.from([0xef, 0x00, 0x10, 0x03, 0x6f, 1, 2, 3, 4, 5]);
  const rewriter = createVp8Rewriter();
  await readHostile(
    5_000,
    (random) => (random(4) === 0 ? randomBytes(random, 40) : garble(random(2) ? vp8 : red, random)),
    (payload) => {
      findPrimary(payload);
      const descriptor = parseVp8(payload);
      if (!descriptor) return;
      rewriter.switchTo(descriptor);
      rewriter.rewrite(payload, descriptor);
    },
  );
});

test('RTP packets in any order, of any stream', async () => {
  const { participant, registry, events } = await join('mallory');
  const track = participant.announceTrack(new AddTrackRequest({ cid: 'camera', type: TrackType.VIDEO }));
  if (track) track.mid = '1';
  await readHostile(
    20_000,
    (random) => ({
      ssrc: random(random(2) ? 4 : 2 ** 32),
      codec: 'vp8' as const,
      sequence: random(65_536),
      timestamp: random(2 ** 32),
      marker: random(2) === 0,
      payload: randomBytes(random, 20),
      mid: random(2) ? '1' : randomBytes(random, 5).toString('latin1'),
      rid: 'qhf'[random(4)],
      level_db: random(128),
    }),
    (packet) => events[0]?.onRtp(packet as Parameters<ConnectionEvents['onRtp']>[0]),
  );
  participant.publisher.tick(performance.now());
  expect(track?.layers.size).toBeLessThanOrEqual(LIMITS.streams_per_participant);
  registry.close();
});

test('RTCP packets', slow, async () => {
  const { participant, registry, events } = await join('mallory');
  const block = { lost_since: 1, packets_lost: 3, highest_sequence: 7, jitter: 4, fraction_lost: 6 };
  const times = { last_sender_report: 5, delay_since_last_sender_report: 6 };
  const packets = [
    writeNack(werift, 9, [1, 2, 3, 60_000]),
    writeBandwidth(werift, 3e6, [1, 2]),
    ...writeReceiverReports(werift, [{ ssrc: 9, ...block, ...times }]),
  ].map((packet) => packet.serialize());
  await readHostile(
    5_000,
    (random) =>
      garble(Buffer.concat(Array.from({ length: 1 + random(40) }, () => packets[random(3)] ?? Buffer.of())), random),
    (data) => {
      for (const packet of readControl(werift, data.subarray(0, 1_500)))
        for (const feedback of readFeedback(werift, packet)) for (const each of events) each.onFeedback(feedback);
    },
  );
  expect(participant.closed).toBe(false);
  registry.close();
});

test('data packets', async () => {
  const user = new UserPacket({ payload: new Uint8Array(100), topic: 'topic', destinationSids: ['PA_1'] });
  const packet = new DataPacket({ destinationIdentities: ['ann'], value: { case: 'user', value: user } }).toBinary();
  await readHostile(
    5_000,
    (random) => garble(packet, random),
    (data) => {
      const routed = routeData(data, true, { sid: 'PA_1', identity: 'mallory' });
      expect(DataPacket.fromBinary(routed.bytes).participantIdentity).toBe('mallory');
    },
    true,
  );
});

test('access tokens', async () => {
  const token = Buffer.from(`${Buffer.from('{"alg":"HS256"}').toString('base64url')}.e30.c2lnbmF0dXJl`);
  await readHostile(
    3_000,
    (random) => garble(token, random).toString('latin1'),
    (text) => expect(() => verifyToken(text, 'key', 'secret')).toThrow(TokenError),
  );
});

test('SCTP packets that pass the guard', async () => {
  let association = await openAssociation();
  const { packets } = association;
  let passed = 0;
  let sent = 0;
  await readHostile(
    2_000,
    (random) => garble(packets[random(packets.length)] ?? Buffer.of(), random),
    async (packet) => {
      // Some packets end the association; the next ones are sent to another.
      if (++sent % 100 === 0) {
        await association.server.stop();
        association = await openAssociation();
      }
      const { server } = association;
      const repaired = repairChecksum(packet, server);
      examineSctp(repaired, server);
      passed++;
      await server.handleData(repaired);
    },
    true,
  );
  expect(passed).toBeGreaterThan(100);
  await association.server.stop();
  expect(unhandled).toEqual([]);
});
