/** Callees: resolves the targets of a call to the people and phones that it rings. */
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import { notFoundAsInvalid, ApiError, invalid, refusalText } from '../../../kernel/errors.ts';
import { firstIdAt } from '../../../kernel/id.ts';
import { default_limits } from '../../../kernel/load/limits.ts';
import { idOf, object, Type, type Static } from '../../../kernel/schema.ts';
import type { Change, Services } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';
import type { PublicUserRow } from '../../accounts/accounts.ts';
import { phoneOf, requireContact, type ContactRow } from '../../contacts/contacts.ts';
import { selectGroupMembers } from '../../contacts/groups.ts';
import type { Tier } from '../../../kernel/caller.ts';
import { requireDialable } from '../phones/phone-policy.ts';
import { limitStrangerRings } from '../../visibility/stranger-limits.ts';
import { isNamed, TagName } from '../../social/tags.ts';
import { lockPairs, selectBlocked } from '../../visibility/pairs.ts';
import { followEachOther, hasAsContact, isKnownTo, maySeeUser, mayReach } from '../../visibility/people.ts';
import { mayOpenTag } from '../../visibility/tags.ts';

/** Whom a request calls. */
export const Target = Type.Union([
  object({ user_id: idOf('usr') }),
  object({ tag: TagName }),
  object({ contact_id: idOf('con') }),
  object({ group_id: idOf('grp') }),
  object({ phone: Type.String({ minLength: 3, maxLength: 32 }) }),
]);
/** The targets of a request. */
export const Targets = Type.Array(Target, { maxItems: default_limits.call_targets });

/** Whom a request calls; one target may mean several callees. */
export type CallTarget = Static<typeof Target>;
/** Who calls, and whose plan pays for telephones. */
export type Inviter = { user_id: string; tier: Tier };

/** A callee: an account or a phone. */
export type Callee = {
  /** The request field that named the callee. */
  field: string;
  name: string;
  /** The name is a default, not chosen by a user. */
  name_is_default?: boolean;
  user:
    | (PublicUserRow & {
        reached: boolean;
        known: boolean;
        engaged: boolean;
        shows_busy: boolean;
        do_not_disturb: boolean;
      })
    | null;
  phone: string | null;
  /** The number comes from another user's address book. */
  is_hidden?: boolean;
  contact_id: string | null;
};

/** The caller, the time and the services. */
type Calling = { services: Services; caller_id: string; now: Date };

const is_nobody = refusalText('is not someone you can call');

/**
 * Resolves targets to callees without duplicates. Until the end of the transaction no block between them and the caller
 * can be created.
 * @throws ApiError `validation_failed` that names `to.N`
 */
export async function requireCallees(
  change: Change,
  targets: CallTarget[],
  caller_id: string,
): Promise<{ callees: Callee[]; group_id: string | null }> {
  const { db, now } = change;
  // Callees named directly are locked before the lookup, which then sees every block.
  const locked_ids = targets.flatMap((target) => ('user_id' in target ? target.user_id : []));
  await lockPairs(db, caller_id, locked_ids);
  const by = { services: change.services, caller_id, now };
  const named = await lookUpTogether(targets, (target, at) =>
    'group_id' in target
      ? requireGroupCallees(db, target.group_id, `to.${at}`, by)
      : requireCallee(db, target, `to.${at}`, by).then((callee) => [callee]),
  );
  const callees = await settleCallees(db, change.services, named, caller_id, locked_ids);
  const groups = new Set(targets.flatMap((target) => ('group_id' in target ? target.group_id : [])));
  return { callees, group_id: groups.size === 1 ? ([...groups][0] ?? null) : null };
}

/** Looks up all targets at once, so that their statements share a round trip; reports the first refusal. */
async function lookUpTogether<T>(all: T[], lookUp: (one: T, at: number) => Promise<Callee[]>): Promise<Callee[]> {
  const answers = await Promise.allSettled(all.map(lookUp));
  return answers.flatMap((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

/**
 * Resolves one target without calling it: nothing is locked, and no budget consumed.
 * @param field the field that a refusal names
 * @throws ApiError `validation_failed`, the same for blocked and unknown people
 */
export async function findCallees(
  db: Queryable,
  services: Services,
  target: CallTarget,
  { caller_id, now, field }: { caller_id: string; now: Date; field: string },
): Promise<Callee[]> {
  const by = { services, caller_id, now };
  if ('group_id' in target) return requireGroupCallees(db, target.group_id, field, by);
  return [await requireCallee(db, target, field, by)];
}

/** @throws ApiError `validation_failed` that names the callees whom a block separates from a user */
export async function refuseBlocked(db: Queryable, user_id: string, callees: Callee[]): Promise<void> {
  const user_ids = callees.flatMap(({ user }) => user?.id ?? []);
  if (user_ids.length === 0) return;
  const blocked = await selectBlocked(db, user_id, user_ids);
  for (const { user, field } of callees) if (user && blocked.has(user.id)) invalid({ [field]: is_nobody });
}

async function requireCallee(
  db: Queryable,
  target: Exclude<CallTarget, { group_id: string }>,
  field: string,
  by: Calling,
): Promise<Callee> {
  if ('phone' in target) {
    const phone = requireDialable(by.services, `${field}.phone`, target.phone);
    return { field, name: phone, user: null, phone, contact_id: null };
  }
  if ('contact_id' in target) return requireContactCallee(db, target.contact_id, field, by);
  const user = await selectCallee(db, target, by);
  if (!user) invalid({ [field]: is_nobody });
  if (user.id === by.caller_id) invalid({ [field]: 'cannot be yourself' });
  return { field, name: user.display_name, user, phone: null, contact_id: null };
}

/** A contact is called as the account that it matches, else on its first number. */
async function requireContactCallee(db: Queryable, contact_id: string, field: string, by: Calling): Promise<Callee> {
  const contact = await requireContact(db, contact_id, by.caller_id).catch(
    notFoundAsInvalid({ [field]: 'is not one of your contacts' }),
  );
  return (await calleeOf(db, contact, field, by)) ?? invalid({ [field]: 'has no account and no phone number' });
}

async function calleeOf(db: Queryable, contact: ContactRow, field: string, by: Calling): Promise<Callee | undefined> {
  const user = contact.user && (await selectCallee(db, { user_id: contact.user.id }, by));
  if (user) return { field, name: user.display_name, user, phone: null, contact_id: contact.id };
  const number = phoneOf(contact);
  if (!number) return undefined;
  return {
    field,
    name: contact.name,
    user: null,
    phone: requireDialable(by.services, field, number),
    contact_id: contact.id,
  };
}

/** The contacts of the caller that can be called, without duplicates. */
export async function requireCallable(change: Change, contacts: ContactRow[], caller_id: string): Promise<Callee[]> {
  const { db, now } = change;
  const by = { services: change.services, caller_id, now };
  const named = await lookUpTogether(contacts, async (contact, at) => {
    // A number that cannot be called does not prevent the others from being called.
    const callee = await calleeOf(db, contact, `members.${at}`, by).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'validation_failed') return undefined;
      throw error;
    });
    return callee ? [callee] : [];
  });
  return settleCallees(db, change.services, named, caller_id);
}

/** Removes duplicates and locks the caller with each callee. @param locked_ids those locked before they were looked up */
async function settleCallees(
  db: Queryable,
  services: Services,
  named: Callee[],
  caller_id: string,
  locked_ids: string[] = [],
): Promise<Callee[]> {
  const callees = [...new Map(named.map((one) => [one.user?.id ?? one.phone, one])).values()];
  const unlocked = callees.filter(({ user }) => user !== null && !locked_ids.includes(user.id));
  await lockPairs(
    db,
    caller_id,
    unlocked.flatMap(({ user }) => user?.id ?? []),
  );
  await refuseBlocked(db, caller_id, unlocked);
  await limitStrangerRings(
    services,
    caller_id,
    callees.flatMap(({ user }) => user ?? []),
  );
  return callees;
}

/** The members of a group that can be called: as the account that they match, else on their phone. */
async function requireGroupCallees(db: Queryable, group_id: string, field: string, by: Calling): Promise<Callee[]> {
  const people = await selectGroupMembers(db, group_id, by.caller_id).catch(
    notFoundAsInvalid({ [field]: 'is not one of your groups' }),
  );
  // Members other than the owner also call the owner.
  const is_owner = people.every((one) => !one.is_owner);
  const callees: Callee[] = [];
  for (const { name, user, known_as, number, ...one } of people) {
    const contact_id = is_owner ? one.contact_id : null;
    const account = user ?? known_as;
    const callee = account && (await selectCallee(db, { user_id: account.id }, by));
    if (callee) callees.push({ field, name: callee.display_name, user: callee, phone: null, contact_id });
    else if (number && !account)
      callees.push({
        field,
        name,
        user: null,
        phone: requireDialable(by.services, field, number),
        contact_id,
        is_hidden: !is_owner,
      });
  }
  if (callees.length === 0) invalid({ [field]: 'has no one who can be called' });
  return callees;
}

/** How long a callee who has answered is not treated as a stranger to the caller, in seconds. */
const acquaintance_s = 24 * 3600;

/** `u` has recently answered a call of the caller. */
const hasAnswered = (caller_id: string, now: Date): Sql => sql`exists (
  select 1 from call_participants p join calls c on c.id = p.call_id
  where p.user_id = u.id and p.call_id >= ${firstIdAt('conf', after(now, -acquaintance_s))}
    and c.host_id = ${caller_id} and p.joined_at is not null)`;

/**
 * The account that a target names: a user, or the owner of a tag that the caller may open. Undefined when there is
 * none.
 */
async function selectCallee(
  db: Queryable,
  target: { user_id: string } | { tag: string },
  { caller_id, now }: Calling,
): Promise<NonNullable<Callee['user']> | undefined> {
  const which =
    'user_id' in target
      ? sql`u.id = ${target.user_id}`
      : sql`exists (select 1 from tags t where t.owner_id = u.id and ${isNamed(target.tag.toLowerCase(), now)} and ${mayOpenTag(caller_id)})`;
  return db.maybe(sql`
    select u.id, u.username, u.display_name, u.avatar_key, ${mayReach(caller_id, 'call')} as reached, (${isKnownTo(caller_id)} or ${hasAnswered(caller_id, now)}) as known,
      exists (select 1 from call_participants b where b.user_id = u.id and b.state in ('joining', 'joined')) as engaged,
      (${hasAsContact(sql`u.id`, caller_id)} or ${followEachOther(caller_id, sql`u.id`)}) as shows_busy,
      coalesce(u.do_not_disturb_until > ${now}, false) as do_not_disturb
    from users u where ${which} and ${maySeeUser(caller_id)}`);
}
