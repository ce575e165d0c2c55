/** Calls started by guests of widgets: they ring the owner of the widget, who becomes the host. */
import { sql } from '../../../kernel/database/database.ts';
import type { Guest, Tier } from '../../../kernel/caller.ts';
import { fail, invalid } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/id.ts';
import type { Change } from '../../../kernel/services.ts';
import type { CallRow } from '../state/calls.ts';
import type { CallTarget, Callee } from './callees.ts';
import { createCall, type NewCall } from './start-call.ts';
import { limitStrangerRings } from '../../visibility/stranger-limits.ts';
import { isWidgetOn } from '../../visibility/widgets.ts';

type Owner = NonNullable<Callee['user']> & { tag: string; tier: Tier };

/**
 * Starts a guest's call. When the reach `call` of the owner is not `everyone` no device rings, which the guest cannot
 * distinguish from an unanswered call.
 * @throws ApiError `token_invalid` when the widget was switched off meanwhile, `validation_failed` for a target other than
 *   the widget's tag, `conflict` when the limit of guests in calls is reached, `call_in_progress`, `plan_limit_reached`
 */
export async function startGuestCall(
  change: Change,
  guest: Guest,
  { to, privacy, media }: { to: CallTarget[] } & Pick<NewCall, 'privacy' | 'media'>,
): Promise<CallRow> {
  const { db } = change;
  // Guests by link belong to that call only.
  if (!isId('wid', guest.place_id)) fail('forbidden');
  if (privacy !== undefined && privacy !== 'private') invalid({ privacy: 'must be private for guests' });
  // Locked, so that concurrent guests cannot exceed the limit, and that a widget which is being switched off rings nobody.
  const locked = db.run(sql`select 1 from widgets where id = ${guest.place_id} for update`);
  const read = db.maybe<Owner & { calls: number }>(sql`
    select u.id, u.username, u.display_name, u.avatar_key, u.tier, t.name as tag,
      u.reach ->> 'call' = 'everyone' as reached, false as known, false as shows_busy,
      exists (select 1 from call_participants b where b.user_id = u.id and b.state in ('joining', 'joined')) as engaged,
      coalesce(u.do_not_disturb_until > ${change.now}, false) as do_not_disturb,
      (select count(*)::int from guests gu join call_participants p on p.guest_id = gu.id
        where gu.widget_id = w.id and p.state in ('joining', 'joined')) as calls
    from widgets w join users u on u.id = w.owner_id join tags t on t.id = w.tag_id
      join guests own on own.id = ${guest.guest_id} and own.widget_id = w.id and own.created_at >= w.guests_since
    where w.id = ${guest.place_id} and ${isWidgetOn}`);
  const [, row] = await Promise.all([locked, read]);
  const { tag, tier, calls, ...user } = row ?? fail('token_invalid');
  const [target, ...others] = to;
  if (!target || others.length > 0) invalid({ to: 'must contain only the tag of this widget' });
  if (!('tag' in target) || target.tag.toLowerCase() !== tag) invalid({ 'to.0': 'is not someone you can call' });
  if (calls >= change.services.limits.widget_calls)
    fail('lines_busy', { message: 'All lines are busy. Try again shortly.' });
  await limitStrangerRings(change.services, guest.guest_id, [user]);
  const callees: Callee[] = [{ field: 'to.0', name: user.display_name, user, phone: null, contact_id: null }];
  const { guest_id, name, name_is_default } = guest;
  const wanted = { guest: { guest_id, name, name_is_default }, callees, ...(media ? { media } : {}) };
  return createCall(change, { user_id: user.id, tier }, wanted);
}
