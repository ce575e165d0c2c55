/** Mutes. */
import { sql, type Sql } from '../../kernel/database/database.ts';
import type { ViewerId } from './viewer.ts';

/**
 * One person has muted another: their statuses are left out of the feed, and their acts cause no notifications. `one`
 * and `other` are columns or parameters.
 */
export const hasMuted = (one: ViewerId, other: ViewerId): Sql =>
  sql`exists (select 1 from mutes where mutes.user_id = ${one} and mutes.muted_id = ${other})`;
