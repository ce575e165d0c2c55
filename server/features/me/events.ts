/** Events of an account, for the devices of its owner. */
import { event } from '../../kernel/event.ts';
import { object, Type } from '../../kernel/schema.ts';

export const meUpdated = event(
  'me.updated',
  'Your profile or a setting was changed on any of your devices. Contains no values.',
  object({
    fields: Type.Array(Type.String(), {
      maxItems: 16,
      description: 'The fields of `PATCH /me` that were changed, such as `read_receipts`.',
    }),
  }),
);
