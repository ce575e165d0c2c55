import { PublicUser } from '../../domain/accounts/accounts.ts';
import { event } from '../../kernel/event.ts';
import { component, moment, object, Type } from '../../kernel/schema.ts';

export const Presence = component('Presence', object({ user: PublicUser, online: Type.Boolean(), changed_at: moment }));

export const presenceUpdated = event(
  'presence.updated',
  'Somebody with whom you follow each other has come, or has been gone for half a minute.',
  Presence,
);
