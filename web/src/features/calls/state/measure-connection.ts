import { Room, Track } from 'livekit-client';
import { sdk } from '../../../asterism.ts';

/** A candidate pair between this browser and the media server (ICE, RFC 8445). */
export interface Path {
  readonly from: string;
  readonly to: string;
  /** `udp` or `tcp`; for a relay, between browser and relay. */
  readonly protocol: string;
  readonly is_relayed: boolean;
  readonly is_used: boolean;
  readonly state: string;
  readonly round_trip_ms: number | undefined;
}

/** What was measured of a connection. */
export interface Measurement {
  /** The round trip of a request to the service. */
  readonly service_ms: number;
  /** The time from the grant to the connection. */
  readonly connect_ms: number;
  readonly used: Path;
  readonly paths: readonly Path[];
}

type Pair = RTCIceCandidatePairStats;
type Candidate = RTCStats & {
  candidateType?: string;
  protocol?: string;
  relayProtocol?: string;
  address?: string;
  port?: number;
};

const LOOKS = 60;
const LOOK_EVERY_MS = 250;

const nameOf = ({ candidateType = '', address = '', port }: Candidate) =>
  `${candidateType} ${address}${port === undefined ? '' : `:${port}`}`.trim();

/** The candidate pairs of a connection, from its statistics. */
function readPaths(report: RTCStatsReport): Path[] {
  const all = new Map<string, RTCStats>();
  report.forEach((one: RTCStats) => all.set(one.id, one));
  const used_ids = new Set(
    [...all.values()].map((one) => (one as RTCTransportStats).selectedCandidatePairId).filter(Boolean),
  );
  return [...all.values()].flatMap((one) => {
    if (one.type !== 'candidate-pair') return [];
    const pair = one as Pair;
    const local = all.get(pair.localCandidateId) as Candidate | undefined;
    const remote = all.get(pair.remoteCandidateId) as Candidate | undefined;
    if (local === undefined || remote === undefined) return [];
    // Firefox marks the selected pair itself.
    const is_used = used_ids.has(pair.id) || (pair as { selected?: boolean }).selected === true;
    const round_trip_s = pair.currentRoundTripTime;
    return {
      from: nameOf(local),
      to: nameOf(remote),
      protocol: local.relayProtocol ?? local.protocol ?? remote.protocol ?? '',
      is_relayed: local.candidateType === 'relay' || remote.candidateType === 'relay',
      is_used,
      state: pair.state,
      round_trip_ms: round_trip_s === undefined ? undefined : Math.round(round_trip_s * 1_000),
    };
  });
}

/** A silent track: the path is measured without using a microphone. */
function makeSilence(): { track: MediaStreamTrack; stop: () => void } {
  const audio = new AudioContext();
  const sink = audio.createMediaStreamDestination();
  const track = sink.stream.getAudioTracks()[0];
  if (track === undefined) throw new Error('This browser makes no sound of its own.');
  return { track, stop: () => void audio.close() };
}

/** Polls until a pair is selected and its round trip known, for at most fifteen seconds. */
async function watchPaths(read: () => Promise<RTCStatsReport | undefined>): Promise<Path[]> {
  let paths: Path[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    const report = await read();
    if (report !== undefined) paths = readPaths(report);
    if (paths.some((one) => one.is_used && one.round_trip_ms !== undefined)) return paths;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return paths;
}

async function measureRoom(room: Room, track: MediaStreamTrack, join_code: string) {
  const grant = await sdk.calls.createSfuGrant({ path: { join_code } });
  const began_ms = performance.now();
  await room.connect(grant.url, grant.token, { rtcConfig: { iceServers: grant.ice_servers as RTCIceServer[] } });
  const connect_ms = Math.round(performance.now() - began_ms);
  const published = await room.localParticipant.publishTrack(track, { source: Track.Source.Microphone });
  const paths = await watchPaths(async () => published.track?.getRTCStatsReport());
  const used = paths.find((one) => one.is_used);
  if (used === undefined) throw new Error('No way to the media server was found.');
  return { connect_ms, used, paths };
}

/**
 * Measures the connection to the service and the media server, in an empty room that is closed afterwards.
 * @throws ApiError `call_in_progress` while the reader is in a call, and what `Room.connect` throws when there is no
 *   path
 */
export async function measureConnection(): Promise<Measurement> {
  const began_ms = performance.now();
  const call = await sdk.calls.startCall({ body: { to: [], media: 'audio' } });
  const service_ms = Math.round(performance.now() - began_ms);
  // As in a call (`use-room.ts`).
  const room = new Room({ singlePeerConnection: false });
  let silence: ReturnType<typeof makeSilence> | undefined;
  try {
    silence = makeSilence();
    return { service_ms, ...(await measureRoom(room, silence.track, call.join_code)) };
  } finally {
    // Before disconnecting: afterwards the reader is in no call that they could end. The measurement is valid even if
    // this fails, since an empty call ends by itself.
    await sdk.calls.endCall().catch(() => undefined);
    silence?.stop();
    await room.disconnect();
  }
}
