/** What follows from a call outside the database: at the media server, and at the carrier of a phone. */
import { sql } from '../kernel/database.ts';
import { job } from '../kernel/job.ts';

/** Ends a room for everybody, and to phones that would dial in. */
export const closeRoom = job<{ room: string }>({
  name: 'calls.close-room',
  max_attempts: 10,
  async run({ room }, services) {
    await services.media.closeRoom(room);
    await services.telephony.door?.close(room);
  },
});

/** Takes somebody out of a room, unless they have come back by a newer grant than those that were withdrawn. */
export const removeFromRoom = job<{ room: string; identity: string; generation: number }>({
  name: 'calls.remove',
  max_attempts: 10,
  async run({ room, identity, generation }, services) {
    const came_back = await services.db.run(sql`
      select 1 from call_participants
      where call_id = ${room} and user_id = ${identity} and admitted_generation >= ${generation}`);
    if (came_back === 0) await services.media.remove(room, identity);
  },
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
