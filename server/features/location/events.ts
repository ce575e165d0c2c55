import { event } from '../../kernel/event.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { PersonLocation } from './schemas.ts';

export const locationUpdated = event(
  'location.updated',
  'The position of someone who shares it with you has changed. At most once in 5 seconds per person; never replayed.',
  PersonLocation,
);

export const locationStopped = event(
  'location.stopped',
  'Someone stopped sharing their position with you. Never replayed; a position also ends at its `expires_at`.',
  object({ user_id: idOf('usr') }),
);
