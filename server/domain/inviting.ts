/** Inviting: whom the targets of a call mean, and how they come into it: rung on their devices, or on a phone. */
import { sql, type Queryable } from '../kernel/database.ts';
import { ApiError, fail, invalid } from '../kernel/errors.ts';
import { idOf, object, Type, type Static } from '../kernel/schema.ts';
import type { Change } from '../kernel/services.ts';
import type { PublicUserRow } from './accounts.ts';
import { isPresent } from './call-turn.ts';
import type { CallTurn } from './calling.ts';
import type { ParticipantRow } from './conferences.ts';
import { phoneOf, requireContact, type ContactRow } from './contacts.ts';
import { selectGroupMembers } from './groups.ts';
import type { Tier } from './entitlements.ts';
import { blankParticipant, canTakeIn, insertParticipants, requireRoom } from './participants.ts';
import { createLegs } from './phone-legs.ts';
import { requireDialable } from './phone-policy.ts';
import { isNamed, TagName } from './tags.ts';
import { knowsEachOther, lockPairs, mayMeet, mayOpenTag, mayReach } from './visibility.ts';

export const Target = Type.Union([
  object({ user_id: idOf('usr') }),
  object({ tag: TagName }),
  object({ contact_id: idOf('con') }),
  object({ group_id: idOf('grp') }),
  object({ phone: Type.String({ minLength: 3, maxLength: 32 }) }),
]);
export const Targets = Type.Array(Target, { maxItems: 49 });

export type CallTarget = Static<typeof Target>;
export type Inviter = { user_id: string; tier: Tier };

/** Somebody to be called: an account, or a phone. */
export type Invitee = {
  /** The field that named them. */
  field: string;
  name: string;
  user: (PublicUserRow & { reached: boolean; engaged: boolean; told_engaged: boolean; undisturbed: boolean }) | null;
  phone: string | null;
  /** The number stands in the address book of somebody else. */
  is_hidden?: boolean;
  contact_id: string | null;
};

const is_nobody = 'names nobody who can be called';

/**
 * Whom targets mean, each once. From here to the end of the transaction no block can come between them and the caller
 * unseen.
 * @throws ApiError `validation_failed` that names `to.N`
 */
export async function requireInvitees(
  change: Change,
  targets: CallTarget[],
  caller_id: string,
): Promise<{ invitees: Invitee[]; group_id: string | null }> {
  const { db, now } = change;
  const named: Invitee[] = [];
  // Whom a target names outright can be held before they are looked for, which then sees every block.
  const held = targets.flatMap((target) => ('user_id' in target ? target.user_id : []));
  await lockPairs(db, caller_id, held);
  for (const [at, target] of targets.entries()) {
    const field = `to.${at}`;
    if ('group_id' in target) named.push(...(await requireGroupInvitees(db, target.group_id, field, caller_id, now)));
    else named.push(await requireInvitee(db, target, field, caller_id, now));
  }
  const invitees = await settleInvitees(db, named, caller_id, held);
  const groups = new Set(targets.flatMap((target) => ('group_id' in target ? target.group_id : [])));
  return { invitees, group_id: groups.size === 1 ? ([...groups][0] ?? null) : null };
}

/** @throws ApiError `validation_failed` that names whom a block keeps from somebody */
export async function refuseApart(db: Queryable, user_id: string, invitees: Invitee[]): Promise<void> {
  const user_ids = invitees.flatMap(({ user }) => user?.id ?? []);
  if (user_ids.length === 0) return;
  const apart = await db.many<{ id: string }>(
    sql`select other_id as id from apart where user_id = ${user_id} and other_id = any(${user_ids}::text[])`,
  );
  const hidden = new Set(apart.map(({ id }) => id));
  for (const { user, field } of invitees) if (user && hidden.has(user.id)) invalid({ [field]: is_nobody });
}

async function requireInvitee(
  db: Queryable,
  target: Exclude<CallTarget, { group_id: string }>,
  field: string,
  caller_id: string,
  now: Date,
): Promise<Invitee> {
  if ('phone' in target) {
    const phone = requireDialable(`${field}.phone`, target.phone);
    return { field, name: phone, user: null, phone, contact_id: null };
  }
  if ('contact_id' in target) return requireContactInvitee(db, target.contact_id, field, caller_id, now);
  const user = await selectCallee(db, target, caller_id, now);
  if (!user) invalid({ [field]: is_nobody });
  if (user.id === caller_id) invalid({ [field]: 'is yourself' });
  return { field, name: user.display_name, user, phone: null, contact_id: null };
}

/** A contact is called as the account that they are, else on their first number. */
async function requireContactInvitee(
  db: Queryable,
  contact_id: string,
  field: string,
  caller_id: string,
  now: Date,
): Promise<Invitee> {
  const contact = await requireContact(db, contact_id, caller_id).catch(() =>
    invalid({ [field]: 'names no contact of yours' }),
  );
  return (
    (await inviteeOf(db, contact, field, caller_id, now)) ??
    invalid({ [field]: 'has neither an account here nor a phone number' })
  );
}

async function inviteeOf(
  db: Queryable,
  contact: ContactRow,
  field: string,
  caller_id: string,
  now: Date,
): Promise<Invitee | undefined> {
  const user = contact.user && (await selectCallee(db, { user_id: contact.user.id }, caller_id, now));
  if (user) return { field, name: user.display_name, user, phone: null, contact_id: contact.id };
  const number = phoneOf(contact);
  if (!number) return undefined;
  return { field, name: contact.name, user: null, phone: requireDialable(field, number), contact_id: contact.id };
}

/** Those of some contacts of the caller who can be called, each once. */
export async function requireCallable(change: Change, contacts: ContactRow[], caller_id: string): Promise<Invitee[]> {
  const { db, now } = change;
  const named: Invitee[] = [];
  for (const [at, contact] of contacts.entries()) {
    // A number that is not called from here keeps nobody else from being called.
    const invitee = await inviteeOf(db, contact, `members.${at}`, caller_id, now).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'validation_failed') return undefined;
      throw error;
    });
    if (invitee) named.push(invitee);
  }
  return settleInvitees(db, named, caller_id);
}

/**
 * Each once, and behind the locks of the caller with each of them.
 * @param held who was locked before they were looked for
 */
async function settleInvitees(
  db: Queryable,
  named: Invitee[],
  caller_id: string,
  held: string[] = [],
): Promise<Invitee[]> {
  const invitees = [...new Map(named.map((one) => [one.user?.id ?? one.phone, one])).values()];
  const unheld = invitees.filter(({ user }) => user !== null && !held.includes(user.id));
  await lockPairs(
    db,
    caller_id,
    unheld.flatMap(({ user }) => user?.id ?? []),
  );
  await refuseApart(db, caller_id, unheld);
  return invitees;
}

/** Everybody of a group who can be called: as the account that they are, else on their phone. */
async function requireGroupInvitees(
  db: Queryable,
  group_id: string,
  field: string,
  caller_id: string,
  now: Date,
): Promise<Invitee[]> {
  const people = await selectGroupMembers(db, group_id, caller_id).catch(() =>
    invalid({ [field]: 'names no group of yours' }),
  );
  // Everybody but the owner finds the owner among them.
  const is_owner = people.every((one) => one.contact_id !== null);
  const invitees: Invitee[] = [];
  for (const { name, user, known_as, number, ...one } of people) {
    const contact_id = is_owner ? one.contact_id : null;
    const account = user ?? known_as;
    const callee = account && (await selectCallee(db, { user_id: account.id }, caller_id, now));
    if (callee) invitees.push({ field, name: callee.display_name, user: callee, phone: null, contact_id });
    else if (number && !account)
      invitees.push({
        field,
        name,
        user: null,
        phone: requireDialable(field, number),
        contact_id,
        is_hidden: !is_owner,
      });
  }
  if (invitees.length === 0) invalid({ [field]: 'has nobody who can be called' });
  return invitees;
}

/** Who a target means: a user, or the owner of a tag that the caller may open. Undefined when there is nobody. */
async function selectCallee(
  db: Queryable,
  target: { user_id: string } | { tag: string },
  caller_id: string,
  now: Date,
): Promise<NonNullable<Invitee['user']> | undefined> {
  const which =
    'user_id' in target
      ? sql`u.id = ${target.user_id}`
      : sql`exists (select 1 from tags t where t.owner_id = u.id and ${isNamed(target.tag.toLowerCase(), now)} and ${mayOpenTag(caller_id)})`;
  return db.maybe(sql`
    select u.id, u.username, u.display_name, u.avatar_key, ${mayReach(caller_id, 'call')} as reached,
      exists (select 1 from call_participants b where b.user_id = u.id and b.state in ('joining', 'joined')) as engaged,
      ${knowsEachOther(caller_id, sql`u.id`)} as told_engaged,
      coalesce(u.do_not_disturb_until > ${now}, false) as undisturbed
    from users u where ${which} and ${mayMeet(caller_id)}`);
}

/**
 * Brings people into a call, within its turn: who is there already stays as they are, who has gone is called anew. Who is
 * in another call is `busy` for those whom it would tell when they connect, and is not disturbed by others.
 * @param written_with others whose rows are written together with those of the called
 * @returns those who are to be rung now
 * @throws ApiError `plan_limit_reached`
 */
export async function inviteAll(
  change: Change,
  turn: CallTurn,
  invitees: Invitee[],
  inviter: Inviter,
  written_with: ParticipantRow[] = [],
): Promise<ParticipantRow[]> {
  const { call } = turn;
  const fresh: ParticipantRow[] = [];
  const called: { part: ParticipantRow; invitee: Invitee }[] = [];
  for (const invitee of invitees) {
    const known = call.participants.find((one) => isSame(one, invitee));
    if (known && isPresent(known)) continue;
    const part = known ?? makeParticipant(change, invitee, inviter.user_id);
    if (known) ringAnew(turn, known, invitee, inviter.user_id);
    else fresh.push(part);
    part.quiet ||= invitee.user !== null && (invitee.user.undisturbed || invitee.user.engaged);
    called.push({ part, invitee });
  }
  if (!canTakeIn(call, fresh.length)) fail('plan_limit_reached', { message: 'This call cannot take in more people.' });
  call.participants.push(...fresh);
  await requireRoom(change.db, call, 0, call.host_id === inviter.user_id ? inviter.tier : undefined);
  await insertParticipants(change.db, call.id, [...written_with, ...fresh]);
  for (const { part, invitee } of called)
    if (invitee.user?.engaged && invitee.user.told_engaged && !part.silent) turn.move(part, 'engaged');
  const rung = called.map(({ part }) => part).filter(({ state }) => state === 'ringing');
  await createLegs(change, call, rung, inviter);
  return rung;
}

/** Who is called anew is called by whoever does that now: whether they hear it is for their reach to say, once more. */
function ringAnew(turn: CallTurn, known: ParticipantRow, { user, contact_id }: Invitee, inviter_id: string): void {
  turn.move(known, 'rung');
  const is_unreached = user !== null && !user.reached;
  // One who was told of the call before still sees it.
  Object.assign(known, { silent: known.silent && is_unreached, quiet: is_unreached });
  if (!is_unreached) Object.assign(known, { invited_by: inviter_id, contact_id });
}

const isSame = (one: ParticipantRow, { user, phone }: Invitee) =>
  user ? one.user_id === user.id : one.user_id === null && one.phone === phone;

function makeParticipant(
  { id, now }: Change,
  { user, phone, name, contact_id, is_hidden }: Invitee,
  inviter_id: string,
): ParticipantRow {
  return {
    ...blankParticipant(id('part'), user?.id ?? null, name),
    state: 'ringing',
    user,
    phone,
    phone_known_to: phone && !is_hidden ? inviter_id : null,
    contact_id,
    invited_by: inviter_id,
    // Whoever does not want to be reached hears nothing, and the caller cannot tell that from nobody answering.
    silent: user !== null && !user.reached,
    rung_at: now,
  };
}
