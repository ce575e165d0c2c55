/** What follows from a call outside the database: at the media server, and at the carrier of a phone. */
import { sql } from '../kernel/database.ts';
import { job } from '../kernel/job.ts';

/** Ends a room for everybody. */
export const closeRoom = job<{ room: string }>({
  name: 'calls.close-room',
  max_attempts: 10,
  async run({ room }, services) {
    await services.media.closeRoom(room);
    await services.telephony.door?.close(room);
  },
});

/** Takes somebody out of a room. */
export const removeFromRoom = job<{ room: string; identity: string }>({
  name: 'calls.remove',
  max_attempts: 10,
  run: ({ room, identity }, services) => services.media.remove(room, identity),
});

/** Ends a phone's leg at its carrier. */
export const hangUp = job<{ leg_id: string }>({
  name: 'calls.hang-up',
  max_attempts: 10,
  async run({ leg_id }, services) {
    const leg = await services.db.maybe<{ carrier_id: string | null }>(
      sql`select carrier_id from call_legs where id = ${leg_id}`,
    );
    if (leg) await services.telephony.hangUp(leg_id, leg.carrier_id);
  },
});
