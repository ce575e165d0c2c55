import { emitGroup } from '../../../domain/contacts/group-invites.ts';
import { sql } from '../../../kernel/database/database.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Change } from '../../../kernel/services.ts';

/**
 * Makes a member of a group, whose row the caller has locked, an admin or an ordinary member.
 * @throws ApiError `not_found` when they are not a member
 */
export async function setAdmin(change: Change, group_id: string, user_id: string, is_admin: boolean): Promise<void> {
  const before = await change.db.maybe<{ is_admin: boolean }>(sql`
    select is_admin from group_invites where group_id = ${group_id} and user_id = ${user_id} and state = 'accepted'`);
  if (!before) fail('not_found');
  if (before.is_admin === is_admin) return;
  await change.db.run(sql`
    update group_invites set is_admin = ${is_admin}
    where group_id = ${group_id} and user_id = ${user_id} and state = 'accepted'`);
  await emitGroup(change, group_id);
}
