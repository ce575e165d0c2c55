import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { readMoment } from '../../kernel/time.ts';
import { queueLivePosition } from './rules/live-positions.ts';
import { storePosition } from './rules/positions.ts';
import { LocationReport } from './schemas.ts';

/** A point further in the future, or older, is ignored, in milliseconds. */
const max_ahead_ms = 60_000;
const max_age_ms = 600_000;

export const reportLocation = endpoint({
  id: 'reportLocation',
  route: 'POST /location/report',
  summary: 'Report your position',
  // A repeated report is the same point, without effect; and positions must not be stored as idempotent answers.
  idempotent: false,
  body: LocationReport,
  errors: ['not_sharing'],
  async run({ body, caller, services, db, now, afterCommit, awaitAtCommit }) {
    const recorded_at = readMoment(body.recorded_at) ?? invalid({ recorded_at: 'is not a valid time' });
    const ahead_ms = recorded_at.getTime() - now.getTime();
    // A point that is too old or too new is discarded, but `not_sharing` is still reported.
    const is_timely = ahead_ms <= max_ahead_ms && ahead_ms >= -max_age_ms;
    const { latitude, longitude, accuracy_m, heading = null, speed_mps = null, battery = null } = body;
    const point = { latitude, longitude, accuracy_m, heading, speed_mps, battery, recorded_at };
    const store = async () => {
      const kept = (await storePosition(db, caller.user_id, { ...point, is_timely }, now)) ?? fail('not_sharing');
      if (kept.is_kept && kept.has_people) afterCommit(() => queueLivePosition(services, caller.user_id));
    };
    // It shares the round trip of the commit: when it refuses, it has written nothing.
    awaitAtCommit(store());
  },
});
