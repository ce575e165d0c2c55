import { endpoint } from '../../kernel/endpoint.ts';
import { PageQuery } from '../../kernel/page.ts';
import { component, idOf, listOf, moment, nullable, object, oneOf, Type } from '../../kernel/schema.ts';

export const Invite = component(
  'Invite',
  object({
    id: idOf('inv'),
    channel: oneOf('sms', 'email'),
    to: Type.String(),
    message: nullable(Type.String()),
    state: oneOf('sent', 'accepted', 'revoked', 'expired'),
    created_at: moment,
  }),
);

export const listMyInvites = endpoint({
  id: 'listMyInvites',
  route: 'GET /me/invites',
  summary: 'Your invites',
  query: PageQuery('inv'),
  reply: listOf(Invite),
  // Nobody can have sent an invite before the area of invites exists.
  async run() {
    return { items: [], has_more: false };
  },
});
