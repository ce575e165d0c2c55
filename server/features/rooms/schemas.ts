import { guests_values } from '../../domain/calls/state/calls.ts';
import { oneOf, optional } from '../../kernel/schema.ts';

/** Whether the calls of a room take guests, in a request. */
export const guestsField = optional({
  ...oneOf(...guests_values),
  description: 'Whether people without an account can join by the link. `off` by default.',
});
