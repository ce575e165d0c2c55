/** Changes of location sharing settings. */
import { presentUser } from '../../../domain/accounts/accounts.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Static } from '../../../kernel/schema.ts';
import { wireTimeOrNull } from '../../../kernel/time.ts';
import type { LocationPrecision } from '../../../domain/location/positions.ts';
import type { NewSettings, SettingsRow } from '../queries.ts';
import { requireEnd, type LocationMode, type LocationSettings } from '../schemas.ts';
import type { AnyViewer } from '../../../domain/visibility/viewer.ts';

/** The maximum duration of sharing, in seconds. */
const max_sharing_s = 7 * 24 * 60 * 60;

/** The changed settings of a request. */
export type SettingsChange = {
  mode?: LocationMode;
  precision?: LocationPrecision;
  expires_at?: string | null;
};

/**
 * Applies a change to the settings. Selecting an audience requires an end: sharing without an end does not exist.
 * @throws ApiError `validation_failed`
 */
export function applyChange(before: SettingsRow, change: SettingsChange, now: Date): NewSettings {
  const mode = change.mode ?? before.mode;
  const precision = change.precision ?? before.precision;
  if (mode === 'off') {
    if (change.expires_at && change.mode === undefined)
      invalid({ expires_at: 'can only be set with a mode other than off' });
    return { mode, precision, expires_at: null };
  }
  if (change.expires_at) return { mode, precision, expires_at: requireEnd(change.expires_at, now, max_sharing_s) };
  if (change.mode !== undefined || change.expires_at === null)
    invalid({ expires_at: 'is required while you share your location' });
  return { mode, precision, expires_at: before.expires_at };
}

/** Settings as their owner sees them. */
export function presentSettings(row: SettingsRow, viewer: AnyViewer): Static<typeof LocationSettings> {
  return {
    mode: row.mode,
    people: row.viewers.map(({ id }) => id),
    viewers: row.viewers.map((user) => presentUser(user, viewer)),
    precision: row.precision,
    expires_at: wireTimeOrNull(row.expires_at),
  };
}
