import { useConnectionQualityIndicator } from '@livekit/components-react';
import { ConnectionQuality } from 'livekit-client';
import type { LocalParticipant, Participant } from 'livekit-client';
import { useEffect, useState } from 'react';

/** A participant's connection quality; undefined until it is known. */
export type Quality = 'good' | 'fair' | 'poor' | 'lost';

const EVERY_MS = 4_000;
/** Above this loss, speech quality degrades noticeably (ITU-T G.113 puts the knee for Opus between 5 and 10 %). */
const FAIR_LOSS = 0.03;
const POOR_LOSS = 0.1;
const FAIR_ROUND_TRIP_S = 0.3;
const POOR_ROUND_TRIP_S = 0.6;

interface Counted {
  readonly lost: number;
  readonly received: number;
}

type StreamReport = RTCStats & {
  packetsLost?: number;
  packetsReceived?: number;
  fractionLost?: number;
  roundTripTime?: number;
};

const SAID_BY_SERVER: Readonly<Partial<Record<ConnectionQuality, Quality>>> = {
  [ConnectionQuality.Excellent]: 'good',
  [ConnectionQuality.Good]: 'fair',
  [ConnectionQuality.Poor]: 'poor',
  [ConnectionQuality.Lost]: 'lost',
};

function qualityOf(loss: number, round_trip_s: number): Quality {
  if (loss > POOR_LOSS || round_trip_s > POOR_ROUND_TRIP_S) return 'poor';
  return loss > FAIR_LOSS || round_trip_s > FAIR_ROUND_TRIP_S ? 'fair' : 'good';
}

async function reportsOf(participant: Participant): Promise<StreamReport[]> {
  const reports: StreamReport[] = [];
  for (const { track } of participant.trackPublications.values()) {
    const stats = await track?.getRTCStatsReport();
    stats?.forEach((report: StreamReport) => reports.push(report));
  }
  return reports;
}

/** Loss of the reader's own streams, by the media server's receiver reports (RFC 3550). */
async function measureSending(me: LocalParticipant): Promise<Quality | undefined> {
  const heard = (await reportsOf(me)).filter(({ type }) => type === 'remote-inbound-rtp');
  if (heard.length === 0) return undefined;
  const worst = (of: (report: StreamReport) => number | undefined) => Math.max(...heard.map((one) => of(one) ?? 0));
  return qualityOf(
    worst(({ fractionLost }) => fractionLost),
    worst(({ roundTripTime }) => roundTripTime),
  );
}

async function countReceived(participant: Participant): Promise<Counted> {
  const counted = { lost: 0, received: 0 };
  for (const report of await reportsOf(participant)) {
    if (report.type !== 'inbound-rtp') continue;
    counted.lost += report.packetsLost ?? 0;
    counted.received += report.packetsReceived ?? 0;
  }
  return counted;
}

/** Loss of a participant's streams here. Without packets the previous rating is kept. */
function gradeReceived(before: Counted, now: Counted): Quality | undefined {
  const lost = Math.max(0, now.lost - before.lost);
  const all = lost + Math.max(0, now.received - before.received);
  return all < 20 ? undefined : qualityOf(lost / all, 0);
}

/**
 * A participant's connection quality: as reported by the media server, and otherwise measured here every four seconds.
 */
export function useQuality(participant: Participant): Quality | undefined {
  const { quality } = useConnectionQualityIndicator({ participant });
  const said = SAID_BY_SERVER[quality];
  const [measured, setMeasured] = useState<Quality>();
  useEffect(() => {
    if (said !== undefined) return;
    let before: Counted | undefined;
    let left = false;
    const look = async () => {
      let found: Quality | undefined;
      if (participant.isLocal) found = await measureSending(participant as LocalParticipant);
      else {
        const now = await countReceived(participant);
        found = before && gradeReceived(before, now);
        before = now;
      }
      if (!left && found !== undefined) setMeasured(found);
    };
    // A connection that is being closed has no statistics.
    const timer = setInterval(() => void look().catch(() => undefined), EVERY_MS);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [participant, said]);
  return said ?? measured;
}
