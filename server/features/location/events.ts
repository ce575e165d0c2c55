import { event } from '../../kernel/event.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { PersonLocation } from './schemas.ts';

export const locationUpdated = event(
  'location.updated',
  'Somebody who shares their position with you has moved. At most once in 5 seconds a person, and never replayed.',
  PersonLocation,
);

export const locationStopped = event(
  'location.stopped',
  'Somebody no longer shares their position with you. Never replayed: a position also ends at its `expires_at`.',
  object({ user_id: idOf('usr') }),
);
