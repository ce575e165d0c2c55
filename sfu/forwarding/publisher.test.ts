import { AddTrackRequest, TrackInfo } from '@livekit/protocol';
import { expect, test, vi } from 'vitest';
import { LIMITS } from '../limits.ts';
import type { TrackReceiver } from './published-track.ts';
import { Publisher, type RecordLevel } from './publisher.ts';
import type { MediaConnection } from './rtp-engine.ts';

const connection = new Proxy({} as MediaConnection, { get: () => () => undefined });
const section = (mid: string, kind: 'audio' | 'video', track_id: string) => ({
  mid,
  kind,
  track_id,
  sends: true,
  ssrcs: [],
  rids: [],
});

function announce(publisher: Publisher, ...cids: [string, 'audio' | 'video'][]) {
  for (const [cid, kind] of cids)
    publisher.addTrack(new AddTrackRequest({ cid }), new TrackInfo({ sid: `TR_${cid}` }), kind);
}
const started = (publisher: Publisher, ...sections: ReturnType<typeof section>[]) =>
  publisher.bindSections(sections).started.map(({ cid, mid }) => [cid, mid]);

test('binds sections to the tracks that they name, in any order', () => {
  const publisher = new Publisher(connection, () => true);
  announce(publisher, ['camera', 'video'], ['screen', 'video']);
  expect(started(publisher, section('1', 'video', 'screen'), section('2', 'video', 'camera'))).toEqual([
    ['screen', '1'],
    ['camera', '2'],
  ]);
});

test('binds sections without a known name to the first track of their kind that no other section names', () => {
  const publisher = new Publisher(connection, () => true);
  announce(publisher, ['microphone', 'audio'], ['camera', 'video'], ['screen', 'video']);
  const sections = [section('0', 'audio', '{1}'), section('1', 'video', '{2}'), section('2', 'video', 'camera')];
  expect(started(publisher, ...sections)).toEqual([
    ['microphone', '0'],
    ['screen', '1'],
    ['camera', '2'],
  ]);
  // Bound sections stay bound, and an excess section has no track.
  expect(started(publisher, ...sections, section('3', 'audio', '{3}'))).toEqual([]);
});

test('assigns a stream without a section by the last offer only, so that SSRCs of old offers do not accumulate', () => {
  const publisher = new Publisher(connection, () => true);
  announce(publisher, ['microphone', 'audio']);
  const offer = (ssrc: number) => publisher.bindSections([{ ...section('0', 'audio', 'microphone'), ssrcs: [ssrc] }]);
  const bytesAfterPacket = (ssrc: number) => {
    const packet = { sequence: 1, timestamp: 0, marker: false, payload: Buffer.alloc(10) };
    publisher.receiveRtp({ ...packet, ssrc, codec: 'opus' });
    return publisher.traffic.bytes_in;
  };
  offer(1);
  offer(2);
  expect([bytesAfterPacket(1), bytesAfterPacket(2)]).toEqual([0, 10]);
});

test('of many sender reports of a stream, the first and then the newest of each interval are forwarded', () => {
  const publisher = new Publisher(connection, () => true);
  const track = publisher.addTrack(new AddTrackRequest({ cid: 'mic' }), new TrackInfo({ sid: 'TR_1' }), 'audio');
  publisher.bindSections([{ ...section('0', 'audio', 'mic'), ssrcs: [1] }]);
  const packet = { sequence: 1, timestamp: 0, marker: false, payload: Buffer.alloc(10) };
  publisher.receiveRtp({ ...packet, ssrc: 1, codec: 'opus' });
  const forwarded: [bigint, number][] = [];
  const receiver: Partial<TrackReceiver> = {
    sendReport: (_, ntp, timestamp) => void forwarded.push([ntp, timestamp]),
    requestKeyFrameIfNeeded: () => undefined,
  };
  track.forwarders.add(receiver as TrackReceiver);
  for (let report = 1; report <= 2_000; report++)
    publisher.receiveFeedback({ type: 'sender-report', ssrc: 1, ntp: BigInt(report), rtp_timestamp: report * 2 });
  const now_ms = performance.now();
  publisher.tick(now_ms + LIMITS.sender_report_interval_ms);
  publisher.tick(now_ms + 3 * LIMITS.sender_report_interval_ms);
  expect(forwarded).toEqual([
    [1n, 2],
    [2_000n, 4_000],
  ]);
});

/** Publishes tracks, each with one stream, the first with SSRC 1. */
function publish(recordLevel: RecordLevel, ...kinds: ('audio' | 'video')[]) {
  const publisher = new Publisher(connection, recordLevel);
  announce(publisher, ...kinds.map((kind, index) => [`track ${index}`, kind] as [string, typeof kind]));
  publisher.bindSections(
    kinds.map((kind, index) => ({ ...section(String(index), kind, `track ${index}`), ssrcs: [index + 1] })),
  );
  const receivePacket = (ssrc: number, level?: { level_db: number }) => {
    const packet = { sequence: 1, timestamp: 0, marker: false, payload: Buffer.alloc(10), ...level };
    publisher.receiveRtp({ ...packet, ssrc, codec: kinds[ssrc - 1] === 'audio' ? 'opus' : 'vp8' });
  };
  kinds.forEach((_, index) => receivePacket(index + 1));
  return { publisher, receivePacket };
}

test('the packets of a stream, its bytes and the packets of a participant are limited', ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['performance'] }).advanceTimersByTime(1);
  onTestFinished(() => void vi.useRealTimers());
  const { publisher } = publish(() => true, 'audio', 'video', 'video', 'video');
  const countAdmitted = (ssrc: number, packets: number, bytes: number) =>
    Array.from({ length: packets }, () => publisher.admitRtp(ssrc, bytes)).filter(Boolean).length;
  expect(countAdmitted(1, 10_000, 100)).toBe(LIMITS.audio_packets_per_second);
  expect(publisher.traffic.refused_in).toBe(10_000 - LIMITS.audio_packets_per_second);
  expect(countAdmitted(2, 2_000, 1_200)).toBe(LIMITS.video_bytes_per_second / 1_200);
  expect(countAdmitted(3, 10_000, 100)).toBe(LIMITS.video_packets_per_second);
  const rest =
    LIMITS.rtp_packets_per_second - LIMITS.video_packets_per_second - LIMITS.audio_packets_per_second - 1_250;
  expect(countAdmitted(4, 10_000, 100)).toBe(rest);
  expect(countAdmitted(99, 10, 100)).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect([countAdmitted(1, 1_000, 100), countAdmitted(2, 2_000, 1_200)]).toEqual([400, 1_250]);
});

test('three layers, a screen of 1080p and voices are within the limits, also in a burst after a pause', ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['performance'] }).advanceTimersByTime(1);
  onTestFinished(() => void vi.useRealTimers());
  const { publisher } = publish(() => true, 'audio', 'audio', 'video', 'video', 'video', 'video');
  /** Packets in each interval of 20 ms: two voices, layers of 0.2, 0.7 and 2.5 Mbit/s, a screen of 8 Mbit/s. */
  const packets = [1, 1, 1, 2, 6, 17];
  const send = () =>
    packets.forEach((count, index) => {
      for (let at = 0; at < count; at++) publisher.admitRtp(index + 1, 1_200);
    });
  for (let step = 0; step < 500; step++) {
    send();
    vi.advanceTimersByTime(20);
  }
  vi.advanceTimersByTime(500);
  for (let step = 0; step < 50; step++) send();
  expect(publisher.traffic.refused_in).toBe(0);
});

test('a voice without audio levels counts as silence, and video is not ranked as a voice', () => {
  const levels: [string, number][] = [];
  const recordLevel: RecordLevel = ({ cid }, level_db) => levels.push([cid, level_db]) > 0;
  const { receivePacket } = publish(recordLevel, 'audio', 'video');
  receivePacket(2, { level_db: 3 });
  expect(levels).toEqual([['track 0', 127]]);
});
