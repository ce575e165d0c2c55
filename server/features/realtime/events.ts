import { PublicUser } from '../../domain/accounts/accounts.ts';
import { event } from '../../kernel/event.ts';
import { component, moment, object, Type } from '../../kernel/schema.ts';

export const Presence = component('Presence', object({ user: PublicUser, online: Type.Boolean(), changed_at: moment }));

export const presenceUpdated = event(
  'presence.updated',
  'A mutual follower came online, or has been offline for half a minute.',
  Presence,
);
