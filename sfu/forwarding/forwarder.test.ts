import { AddTrackRequest, TrackInfo } from '@livekit/protocol';
import { expect, test, vi } from 'vitest';
import { Forwarder } from './forwarder.ts';
import { PublishedTrack, type TrackLayer } from './published-track.ts';
import { Publisher, type RecordLevel } from './publisher.ts';
import type { MediaConnection, Outgoing, RtpIn, RtpOut } from './rtp-engine.ts';

const connection = new Proxy({} as MediaConnection, { get: () => () => undefined });

/** Adds a receiver of a track. @returns its forwarder, and the packets sent to it */
function receive(track: PublishedTrack): { forwarder: Forwarder; sent: RtpOut[] } {
  const sent: RtpOut[] = [];
  const out: Partial<Outgoing> = {
    ssrc: 1,
    mid: '1',
    isAnswered: () => true,
    takesRed: () => false,
    send: (packet) => void sent.push(packet),
  };
  const forwarder = new Forwarder(track, out as Outgoing, false);
  track.forwarders.add(forwarder);
  return { forwarder, sent };
}

/** A VP8 packet (RFC 7741): the start of a frame, which is a key frame or not. */
const video = (sequence: number, is_key: boolean): RtpIn => ({
  ssrc: 5,
  codec: 'vp8',
  sequence: sequence & 0xffff,
  timestamp: (sequence * 90) >>> 0,
  marker: true,
  payload: Buffer.from([0x10, is_key ? 0x00 : 0x01, 1, 2, 3]),
});

test('a receiver that switches to a layer does not disturb others that already receive it', () => {
  const track = new PublishedTrack(new TrackInfo({ sid: 'TR_1' }), 'camera', 'video', connection);
  const layer: TrackLayer = track.addLayer(5, undefined, performance.now());
  const forward = (viewer: { forwarder: Forwarder }, packet: RtpIn) => {
    layer.last_packet_at_ms = performance.now();
    // 500 packets a second.
    return viewer.forwarder.forward(packet, layer, packet.timestamp / 45);
  };
  const [first, second] = [receive(track), receive(track)];
  expect(forward(first, video(1, true))).toBe(true);
  for (let sequence = 2; sequence < 33_000; sequence++) forward(first, video(sequence, false));
  expect(first.sent).toHaveLength(32_999);
  expect([forward(first, video(33_000, true)), forward(second, video(33_000, true))]).toEqual([true, true]);
  for (let sequence = 33_001; sequence < 33_010; sequence++)
    expect([forward(first, video(sequence, false)), forward(second, video(sequence, false))]).toEqual([true, true]);
});

test('the requests for key frames of all receivers of a layer have one limit', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    let asked = 0;
    const requestKeyFrame = () => void (asked += 1);
    const camera = new Proxy({} as MediaConnection, {
      get: (_target, name) => (name === 'requestKeyFrame' ? requestKeyFrame : () => undefined),
    });
    const track = new PublishedTrack(new TrackInfo({ sid: 'TR_1' }), 'camera', 'video', camera);
    const layer = track.addLayer(5, undefined, performance.now());
    const receivers = Array.from({ length: 50 }, () => receive(track).forwarder);
    for (const [at, forwarder] of receivers.entries())
      // Half of them receive the layer, the others wait for it.
      if (at % 2) forwarder.forward(video(1, true), layer, performance.now());
    asked = 0;
    for (let at_ms = 0; at_ms < 10_000; at_ms += 10) {
      vi.advanceTimersByTime(10);
      layer.last_packet_at_ms = performance.now();
      for (const forwarder of receivers) forwarder.requestKeyFrame();
      for (const forwarder of receivers) forwarder.forward(video(2 + at_ms / 10, false), layer, performance.now());
    }
    expect(asked).toBe(20);
  } finally {
    vi.useRealTimers();
  }
});

test('one receiver causes a key frame every two seconds at most for long, and newcomers get theirs at once', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const asked_at_ms: number[] = [];
    const requestKeyFrame = () => void asked_at_ms.push(performance.now());
    const camera = new Proxy({} as MediaConnection, {
      get: (_target, name) => (name === 'requestKeyFrame' ? requestKeyFrame : () => undefined),
    });
    const track = new PublishedTrack(new TrackInfo({ sid: 'TR_1' }), 'camera', 'video', camera);
    const layers = [track.addLayer(5, 'f', performance.now()), track.addLayer(6, 'q', performance.now())] as const;
    const pass = (ms: number) => {
      vi.advanceTimersByTime(ms);
      for (const layer of layers) layer.last_packet_at_ms = performance.now();
    };
    pass(1000);
    const [{ forwarder: hostile }, { forwarder: other }] = [receive(track), receive(track)];
    for (const forwarder of [hostile, other]) forwarder.forward(video(1, true), layers[0], performance.now());
    asked_at_ms.length = 0;
    for (let at_ms = 0; at_ms < 60_000; at_ms += 100) {
      pass(100);
      hostile.requestKeyFrame();
      hostile.requestQuality(false, at_ms % 200 ? 0 : 2);
    }
    expect(asked_at_ms.length).toBeLessThanOrEqual(6 + 30);
    expect(asked_at_ms.length).toBeGreaterThan(20);
    // Another receiver has a budget of its own; a newcomer needs none of the layer's.
    pass(1000);
    asked_at_ms.length = 0;
    other.requestKeyFrame();
    expect(asked_at_ms).toHaveLength(1);
    while (layers[0].key_frames.take(performance.now()));
    pass(600);
    receive(track).forwarder.forward(video(2, false), layers[0], performance.now());
    expect(asked_at_ms).toHaveLength(2);
    // What was refused is requested again once the budget permits.
    pass(501);
    while (layers[0].key_frames.take(performance.now()));
    other.requestKeyFrame();
    expect(asked_at_ms).toHaveLength(2);
    pass(2000);
    other.requestKeyFrameIfNeeded();
    expect(asked_at_ms).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});

/** Publishes a microphone that one receiver hears. */
function publishVoice(isHeard: RecordLevel = () => true) {
  const publisher = new Publisher(connection, isHeard);
  const track = publisher.addTrack(new AddTrackRequest({ cid: 'mic' }), new TrackInfo({ sid: 'TR_1' }), 'audio');
  publisher.bindSections([{ mid: '0', kind: 'audio', track_id: 'mic', sends: true, ssrcs: [9, 10], rids: [] }]);
  const receivePacket = (sequence: number, timestamp = sequence * 960, ssrc = 9) => {
    const payload = Buffer.from(`${ssrc} ${sequence}`);
    publisher.receiveRtp({ ssrc, codec: 'opus', sequence, timestamp, marker: false, payload, level_db: 20 });
  };
  return { track, receivePacket, ...receive(track) };
}
const payloads = (sent: RtpOut[]) => sent.map(({ payload }) => payload.toString());
const countNumbers = (sent: RtpOut[]) => new Set(sent.map(({ sequence }) => sequence)).size;

test('a sender that restarts its sequence numbers causes no gap for its receivers', () => {
  const { sent, receivePacket } = publishVoice();
  for (let index = 0; index < 50; index++) receivePacket(40_000 + index, index * 960);
  for (let index = 0; index < 50; index++) receivePacket(20_007 + index, 5 + index * 960);
  // The first packet after the restart could be a stray one and is dropped.
  expect(sent).toHaveLength(99);
  expect(sent.map(({ sequence }) => sequence)).toEqual(sent.map((_, index) => 40_000 + index));
  const steps = sent.slice(1).map(({ timestamp }, index) => timestamp - (sent[index]?.timestamp ?? 0));
  expect(steps.every((step) => step > 0 && step <= 48_000)).toBe(true);
});

test('no two packets have the same number when one is late after a pause of the voice', () => {
  let is_heard = true;
  const { sent, receivePacket } = publishVoice(() => is_heard);
  for (const sequence of [1, 2, 3]) receivePacket(sequence);
  is_heard = false;
  receivePacket(4);
  is_heard = true;
  // 5 and 6 were overtaken: they would get the numbers of 3 and of 2.
  for (const sequence of [7, 6, 5, 8, 9]) receivePacket(sequence);
  expect(payloads(sent)).toEqual(['9 1', '9 2', '9 3', '9 7', '9 8', '9 9']);
  expect(sent.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('no two packets have the same number when two streams alternate in one section', () => {
  const { sent, receivePacket } = publishVoice();
  for (let from = 0, timestamp = 0; from < 400; from += 4)
    for (const ssrc of [9, 10]) for (const late of [2, 0, 1, 3]) receivePacket(from + late, (timestamp += 960), ssrc);
  expect(sent).toHaveLength(400);
  expect(countNumbers(sent)).toBe(sent.length);
});

test('late packets within one stream are sent once, in their place', () => {
  const { sent, receivePacket } = publishVoice();
  for (const sequence of [65_533, 65_535, 1, 65_534, 0, 0, 65_534, 2]) receivePacket(sequence);
  expect(sent.map(({ sequence }) => sequence)).toEqual([65_533, 65_535, 1, 65_534, 0, 2]);
  expect(payloads(sent)[3]).toBe('9 65534');
});

test('a receiver that joins at an overtaking packet does not get the earlier one', () => {
  // The number before the first would be sealed with the rollover count of a later cycle.
  const { track, receivePacket } = publishVoice();
  receivePacket(65_534);
  const { sent } = receive(track);
  for (const sequence of [0, 65_535, 1]) receivePacket(sequence);
  expect(sent.map(({ sequence }) => sequence)).toEqual([0, 1]);
});

test('a voice that was muted for half a cycle of packets is heard again at once', () => {
  const { track, sent, receivePacket } = publishVoice();
  receivePacket(0);
  track.info.muted = true;
  for (let sequence = 1; sequence < 40_000; sequence++) receivePacket(sequence);
  track.info.muted = false;
  for (const sequence of [40_000, 40_001]) receivePacket(sequence);
  expect(sent.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
});

test('a packet of an earlier cycle is not retransmitted under the number of another', () => {
  const track = new PublishedTrack(new TrackInfo({ sid: 'TR_1' }), 'camera', 'video', connection);
  const layer = track.addLayer(5, undefined, performance.now());
  const { forwarder, sent } = receive(track);
  const resent: RtpOut[] = [];
  forwarder.out.resend = (packet) => void resent.push(packet);
  const forward = (sequence: number) => forwarder.forward(video(sequence, sequence === 0), layer, sequence);
  // The numbers that share a place of the history with the first are left out.
  for (let sequence = 0; sequence < 66_000; sequence++) if (sequence === 0 || sequence % 512 !== 0) forward(sequence);
  expect(sent.at(-1)?.sequence).toBe(65_999 - 65_536);
  forwarder.resend([0, 460], 70_000);
  expect(resent.map(({ sequence }) => sequence)).toEqual([460]);
});
