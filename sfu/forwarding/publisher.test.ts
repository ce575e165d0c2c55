import { AddTrackRequest, TrackInfo } from '@livekit/protocol';
import { expect, test } from 'vitest';
import { Publisher } from './publisher.ts';
import type { MediaConnection } from './rtp-engine.ts';

const nothing = new Proxy({} as MediaConnection, { get: () => () => undefined });
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

test('binds sections to the tracks that they name, in whatever order', () => {
  const publisher = new Publisher(nothing, () => true);
  announce(publisher, ['camera', 'video'], ['screen', 'video']);
  expect(started(publisher, section('1', 'video', 'screen'), section('2', 'video', 'camera'))).toEqual([
    ['screen', '1'],
    ['camera', '2'],
  ]);
});

test('binds sections that name nothing known to the first of their kind, but to none that another names', () => {
  const publisher = new Publisher(nothing, () => true);
  announce(publisher, ['microphone', 'audio'], ['camera', 'video'], ['screen', 'video']);
  const sections = [section('0', 'audio', '{1}'), section('1', 'video', '{2}'), section('2', 'video', 'camera')];
  expect(started(publisher, ...sections)).toEqual([
    ['microphone', '0'],
    ['screen', '1'],
    ['camera', '2'],
  ]);
  // What is bound stays bound, and a section too many has no track.
  expect(started(publisher, ...sections, section('3', 'audio', '{3}'))).toEqual([]);
});

test('knows a stream that names no section by the last offer alone, so that offers add up to nothing', () => {
  const publisher = new Publisher(nothing, () => true);
  announce(publisher, ['microphone', 'audio']);
  const offer = (ssrc: number) => publisher.bindSections([{ ...section('0', 'audio', 'microphone'), ssrcs: [ssrc] }]);
  const hear = (ssrc: number) => {
    const packet = { sequence: 1, timestamp: 0, marker: false, payload: Buffer.alloc(10) };
    publisher.receiveRtp({ ...packet, ssrc, codec: 'opus' });
    return publisher.traffic.bytes_in;
  };
  offer(1);
  offer(2);
  expect([hear(1), hear(2)]).toEqual([0, 10]);
});
