import { event } from '../../kernel/event.ts';
import { object } from '../../kernel/schema.ts';

export const gridUpdated = event(
  'grid.updated',
  'Your favourites were changed on another device: fetch them again.',
  object({}),
);
