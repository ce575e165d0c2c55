/** Gauges in `/metrics` about the parts of the service, besides requests and the process. */
import type { MediaCounts } from '../engines/ports.ts';
import { sql, type Queryable } from '../kernel/database/database.ts';
import { addGauge } from '../kernel/observability/metrics.ts';
import type { Services } from '../kernel/services.ts';

/** Adds the gauges; each is computed when metrics are scraped. */
export function addGauges(services: Services): void {
  const { metrics, db, realtime, media } = services;
  addGauge(metrics, 'asterism_database_connections', 'Connections to the database.', () => db.state().total);
  addGauge(metrics, 'asterism_database_waiting', 'Requests that wait for a connection.', () => db.state().waiting);
  addGauge(metrics, 'asterism_realtime_connections', 'Connected realtime receivers.', () => realtime.connections());
  addGauge(metrics, 'asterism_calls_active', 'Calls with participants who are in them or joining, on all nodes.', () =>
    countActiveCalls(db),
  );
  const { counts } = media;
  if (!counts) return;
  const addMediaGauge = (name: keyof MediaCounts, help: string) =>
    addGauge(metrics, `asterism_media_${name}`, help, () => counts()[name]);
  addMediaGauge('rooms', 'Rooms of the embedded media server.');
  addMediaGauge('participants', 'Participants in the rooms of the embedded media server.');
  addMediaGauge('packets_in', 'RTP packets from clients since the start.');
  addMediaGauge('packets_out', 'RTP packets to clients since the start.');
  addMediaGauge('bytes_in', 'Bytes of media from clients since the start; the rate of change is the bit rate.');
  addMediaGauge('bytes_out', 'Bytes of media to clients since the start.');
  addMediaGauge('lost_in', 'RTP packets of clients that did not arrive, since the start.');
  addMediaGauge('refused_in', 'RTP packets of clients that exceeded their budget, since the start.');
  addMediaGauge('missed_out', 'RTP packets that clients asked for again, since the start.');
  addMediaGauge('shed_out', 'RTP packets to clients that exceeded the budget of their room, since the start.');
}

/** The number of calls with participants who are in them or joining. */
async function countActiveCalls(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct call_id)::int as count from call_participants where state in ('joining', 'joined')`);
  return count;
}
