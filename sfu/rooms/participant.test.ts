import { AddTrackRequest, SignalResponse, TrackType, VideoLayer } from '@livekit/protocol';
import { expect, test, vi } from 'vitest';
import { DataBudget } from '../forwarding/data-budget.ts';
import { PacketBudget } from '../forwarding/packet-budget.ts';
import { LIMITS } from '../limits.ts';
import { Participant, type ParticipantEvents } from './participant.ts';
import { Registry } from './registry.ts';
import { createFakeConnection, member_grants } from '../testing/fake-registry.ts';
import type { ConnectionEvents, RtpEngine } from '../forwarding/rtp-engine.ts';

const grants = { ...member_grants, identity: 'ann', room: 'room' };
const connection = createFakeConnection();

function join(events: Partial<ParticipantEvents> = {}) {
  const connections: ConnectionEvents[] = [];
  const engine: RtpEngine = {
    createConnection(its_events) {
      connections.push(its_events);
      return connection;
    },
  };
  const reported: string[] = [];
  const participant = new Participant(
    grants,
    true,
    { engine, data_budget: new DataBudget(), packets: new PacketBudget() },
    {
      onActive: () => undefined,
      isHeard: () => true,
      onData: () => undefined,
      countReceivers: () => 1,
      report: (message) => void reported.push(message),
      ...events,
    },
  );
  return { participant, connections, reported };
}

test('announceTrack enforces limits on the fields of a track', () => {
  const { participant } = join();
  const layer = new VideoLayer({ quality: 2, width: 1280, height: 720 });
  const valid_request = { cid: 'camera', type: TrackType.VIDEO, layers: [layer] };
  const long = 'x'.repeat(LIMITS.name_characters + 1);
  const many = (count: number) => Array.from({ length: count }, () => layer);
  for (const invalid_fields of [
    { cid: 'x'.repeat(LIMITS.track_cid_characters + 1) },
    { stream: long },
    { layers: many(LIMITS.track_layers + 1) },
    { audioFeatures: Array.from({ length: LIMITS.track_audio_features + 1 }, () => 1) },
  ])
    expect(participant.announceTrack(new AddTrackRequest({ ...valid_request, ...invalid_fields }))).toBeUndefined();
  const track = participant.announceTrack(new AddTrackRequest({ ...valid_request, name: long }));
  expect(track?.info.name).toHaveLength(LIMITS.name_characters);
  expect(track?.info.layers).toEqual([layer]);
  expect(track?.info.toBinary().length).toBeLessThan(1_000);
});

test('data messages are limited by budgets of messages, bytes and deliveries, and excess is reported', () => {
  const countAdmitted = (receivers: number, chunks: number, bytes: number) => {
    const { connections, reported } = join({ countReceivers: () => receivers });
    let count = 0;
    // Both connections share one budget.
    for (let index = 0; index < 20_000; index++) if (connections[index % 2]?.admitData(chunks, bytes)) count += chunks;
    expect(new Set(reported)).toEqual(new Set(["data messages exceed the sender's budget"]));
    return count;
  };
  const tolerance = 1.25;
  expect(countAdmitted(1, 1, 10)).toBeLessThan(LIMITS.data_chunks_burst * tolerance);
  expect(countAdmitted(1, 1, 10)).toBeGreaterThanOrEqual(LIMITS.data_chunks_burst);
  expect(countAdmitted(1, 1, 10_000) * 10_000).toBeLessThan(LIMITS.data_bytes_burst * tolerance);
  expect(countAdmitted(100, 1, 10) * 100).toBeLessThan(LIMITS.data_deliveries_burst * tolerance);
  // A packet larger than the whole bucket passes once, so that it does not wait forever.
  expect(countAdmitted(199, 60, 1_000)).toBe(60);
});

test('loading the engine is retried at the next join after a failure', async () => {
  let loads = 0;
  const registry = new Registry({
    settings: { empty_timeout_s: 60, departure_timeout_s: 10, max_participants: 0, metadata: '' },
    loadEngine: async () => {
      if (++loads === 1) throw new Error('EMFILE: too many open files');
      return { createConnection: () => connection };
    },
    onWebhook: () => undefined,
    log: () => undefined,
  });
  await expect(registry.join(grants, true)).rejects.toThrow('EMFILE');
  expect((await registry.join(grants, true))?.participant.identity).toBe('ann');
  expect(loads).toBe(2);
  registry.close();
});

test('an update is serialised once for all participants, and one of a hidden participant reaches nobody else', async () => {
  const registry = new Registry({
    settings: { empty_timeout_s: 60, departure_timeout_s: 10, max_participants: 0, metadata: '' },
    loadEngine: async () => ({ createConnection: () => connection }),
    onWebhook: () => undefined,
    log: () => undefined,
  });
  const received: Record<string, Uint8Array[]> = {};
  const enter = async (identity: string, hidden = false) => {
    const found = await registry.join({ ...grants, identity, hidden }, true);
    if (!found) throw new Error('the room is full');
    const frames: Uint8Array[] = (received[identity] = []);
    found.participant.signal = { send: (bytes) => void frames.push(bytes), close: () => undefined };
    return found;
  };
  const { room, participant } = await enter('ann');
  await enter('ben');
  const ghost = await enter('ghost', true);
  const serialise = vi.spyOn(SignalResponse.prototype, 'toBinary');
  room.broadcastInfo(participant);
  expect(serialise).toHaveBeenCalledTimes(1);
  serialise.mockRestore();
  room.broadcastInfo(ghost.participant);
  const counts = Object.entries(received).map(([identity, frames]) => [identity, frames.length]);
  expect(counts).toEqual([
    ['ann', 1],
    ['ben', 1],
    ['ghost', 2],
  ]);
  const { message } = SignalResponse.fromBinary(received['ben']?.[0] ?? new Uint8Array());
  expect(message.case === 'update' && message.value.participants[0]?.identity).toBe('ann');
  registry.close();
});
