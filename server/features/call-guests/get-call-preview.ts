import { guests_values, media_values } from '../../domain/calls/state/calls.ts';
import { selectRoomForGuests } from '../../domain/calls/lasting-rooms.ts';
import { selectCallForGuests } from '../../domain/calls/link-guests.ts';
import { presentUser, PublicUser } from '../../domain/accounts/accounts.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { component, object, oneOf, Type } from '../../kernel/schema.ts';
import { JoinCodePath } from './schemas.ts';

const CallPreview = component(
  'CallPreview',
  object({
    join_code: Type.String(),
    host: PublicUser,
    media: oneOf(...media_values),
    guests: oneOf(...guests_values),
    is_recorded: Type.Boolean(),
    participant_count: Type.Integer({ minimum: 0 }),
  }),
);

export const getCallPreview = endpoint({
  id: 'getCallPreview',
  route: 'GET /calls/{join_code}/preview',
  summary: 'Preview a call by its link',
  description:
    'For people without an account, while the host allows guests. An empty lasting room has a preview too: `participant_count` is 0 and `host` is its owner.',
  gate: 'public',
  extension: true,
  path: JoinCodePath,
  reply: CallPreview,
  errors: ['not_found'],
  async run({ path, db, services }) {
    const { join_code } = path;
    const call = await selectCallForGuests(db, join_code);
    const empty = { media: 'audio' as const, is_recorded: false, participant_count: 0 };
    const { host, media, guests, is_recorded, participant_count } = call ?? {
      ...empty,
      ...found(await selectRoomForGuests(db, join_code)),
    };
    return { join_code, media, guests, is_recorded, participant_count, host: presentUser(host, { services }) };
  },
});
