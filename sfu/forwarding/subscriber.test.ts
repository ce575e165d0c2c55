import { TrackInfo } from '@livekit/protocol';
import { beforeEach, expect, test } from 'vitest';
import { createFakeConnection } from '../testing/fake-registry.ts';
import { DataBudget } from './data-budget.ts';
import { PacketBudget } from './packet-budget.ts';
import { PublishedTrack } from './published-track.ts';
import type { Outgoing } from './rtp-engine.ts';
import { Subscriber } from './subscriber.ts';

let subscriber: Subscriber;
/** The stream of each track, by the id of the track. */
let ssrcs: Map<string, number>;
beforeEach(() => {
  ssrcs = new Map();
  const connection = createFakeConnection({
    addOutgoing: (_kind, { track_id }) => {
      const ssrc = ssrcs.size + 1;
      ssrcs.set(track_id, ssrc);
      const out: Partial<Outgoing> = { ssrc, mid: String(ssrc), isAnswered: () => true, stop: () => undefined };
      return out as Outgoing;
    },
  });
  const output = { sendOffer: () => undefined, sendStreamStates: () => undefined };
  subscriber = new Subscriber(connection, { data_budget: new DataBudget(), packets: new PacketBudget() }, output);
});

/** A camera in three layers, to which the subscriber listens. */
function addCamera(sid: string): PublishedTrack {
  const track = new PublishedTrack(new TrackInfo({ sid }), sid, 'video', createFakeConnection());
  for (const [quality, rid] of ['q', 'h', 'f'].entries()) {
    const layer = track.addLayer(ssrcs.size * 10 + quality, rid, performance.now());
    layer.bits_per_second = 100_000 * 4 ** quality;
  }
  subscriber.subscribe(track, `PA_${sid}`, false);
  return track;
}

const qualityOf = (track: PublishedTrack) => [...track.forwarders][0]?.target();

/** Reports the same loss of a stream for some seconds. */
function reportLoss(sid: string, share: number): void {
  for (let at_ms = 0; at_ms < 4_000; at_ms += 500) {
    subscriber.receiveFeedback({ type: 'loss', ssrc: ssrcs.get(sid) ?? 0, share });
    subscriber.allocateLayers(performance.now() + at_ms);
  }
}

test('packets that a publisher has lost or left out do not lower the layers of others', () => {
  const [lossy, other] = [addCamera('TR_lossy'), addCamera('TR_other')];
  lossy.setLoss(0.4);
  reportLoss('TR_lossy', 0.4);
  expect([qualityOf(other), subscriber.lostShare()]).toEqual([2, 0]);
  // Reports of receivers are not about the same second as those of the publisher.
  lossy.setLoss(0);
  reportLoss('TR_lossy', 0.4);
  expect([qualityOf(other), subscriber.lostShare()]).toEqual([2, 0]);
  lossy.setLoss(0);
  reportLoss('TR_lossy', 0.4);
  expect(qualityOf(other)).toBeLessThan(2);
});

test('feedback about streams that are not sent changes nothing', () => {
  const camera = addCamera('TR_camera');
  for (const ssrc of [0, 99]) {
    for (let at_ms = 0; at_ms < 4_000; at_ms += 500) {
      subscriber.receiveFeedback({ type: 'loss', ssrc, share: 1 });
      subscriber.receiveFeedback({ type: 'nack', ssrc, sequences: [1, 2, 3] });
      subscriber.receiveFeedback({ type: 'picture-loss', ssrc });
      subscriber.allocateLayers(performance.now() + at_ms);
    }
  }
  expect([qualityOf(camera), subscriber.lostShare()]).toEqual([2, 0]);
});
