import { presentUser, PublicUser, type PublicUserRow } from '../../domain/accounts/accounts.ts';
import type { AnyViewer } from '../../domain/visibility/viewer.ts';
import { component, idOf, moment, object, type Static } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';

export const Block = component('Block', object({ id: idOf('blk'), user: PublicUser, created_at: moment }));

export type BlockRow = { id: string; user: PublicUserRow; created_at: Date };

/** A block as presented to its owner. */
export function presentBlock({ id, user, created_at }: BlockRow, viewer: AnyViewer): Static<typeof Block> {
  return { id, user: presentUser(user, viewer), created_at: wireTime(created_at) };
}
