import { presentUser, PublicUser, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import type { AnyViewer } from '../../domain/visibility/viewer.ts';
import { component, idOf, moment, object, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

export const Mute = component('Mute', object({ id: idOf('mute'), user: PublicUser, created_at: moment }));

export const PersonPath = object({ user_id: idOf('usr') });

export type MuteRow = { id: string; user: PublicUserRow; created_at: Date };

/** A mute as presented to its owner. */
export function presentMute({ id, user, created_at }: MuteRow, viewer: AnyViewer): Static<typeof Mute> {
  return { id, user: presentUser(user, viewer), created_at: wireTime(created_at) };
}
