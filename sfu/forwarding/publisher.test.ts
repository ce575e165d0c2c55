import { AddTrackRequest, TrackInfo } from '@livekit/protocol';
import { expect, test } from 'vitest';
import { LIMITS } from '../limits.ts';
import { Publisher, type TrackReceiver } from './publisher.ts';
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
