import { AddTrackRequest, TrackInfo } from '@livekit/protocol';
import { expect, test } from 'vitest';
import { Forwarder } from './forwarder.ts';
import { PublishedTrack, Publisher, type TrackLayer } from './publisher.ts';
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

test('a sender that restarts its sequence numbers causes no gap for its receivers', () => {
  const publisher = new Publisher(connection, () => true);
  const track = publisher.addTrack(new AddTrackRequest({ cid: 'mic' }), new TrackInfo({ sid: 'TR_1' }), 'audio');
  const section = { mid: '0', kind: 'audio' as const, track_id: 'mic', sends: true, ssrcs: [9], rids: [] };
  publisher.bindSections([section]);
  const { sent } = receive(track);
  const receivePacket = (sequence: number, timestamp: number) =>
    publisher.receiveRtp({ ssrc: 9, codec: 'opus', sequence, timestamp, marker: false, payload: Buffer.alloc(20) });
  for (let index = 0; index < 50; index++) receivePacket(40_000 + index, index * 960);
  for (let index = 0; index < 50; index++) receivePacket(20_007 + index, 5 + index * 960);
  // The first packet after the restart could be a stray one and is dropped.
  expect(sent).toHaveLength(99);
  expect(sent.map(({ sequence }) => sequence)).toEqual(sent.map((_, index) => 40_000 + index));
  const steps = sent.slice(1).map(({ timestamp }, index) => timestamp - (sent[index]?.timestamp ?? 0));
  expect(steps.every((step) => step > 0 && step <= 48_000)).toBe(true);
});
