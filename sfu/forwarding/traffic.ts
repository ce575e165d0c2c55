/** Packet counters of the media server. Bytes are those of payloads. */
export type Traffic = {
  packets_in: number;
  packets_out: number;
  bytes_in: number;
  bytes_out: number;
  /** Packets of publishers that did not arrive, less those that arrived late (RFC 3550, A.3). */
  lost_in: number;
  /** Packets of publishers that exceeded their budget and were dropped. */
  refused_in: number;
  /** Packets that receivers requested again. */
  missed_out: number;
  /** Packets to receivers that exceeded the budget of their room and were dropped. */
  shed_out: number;
};

/** Counters at zero. */
export const createTraffic = (): Traffic => ({
  packets_in: 0,
  packets_out: 0,
  bytes_in: 0,
  bytes_out: 0,
  lost_in: 0,
  refused_in: 0,
  missed_out: 0,
  shed_out: 0,
});

/** Adds the second to the first. */
export function addTraffic(sum: Traffic, more: Traffic): void {
  for (const name of Object.keys(sum) as (keyof Traffic)[]) sum[name] += more[name];
}
