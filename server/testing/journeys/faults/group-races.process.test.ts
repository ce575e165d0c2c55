/** Several people change a group at once: whatever comes first, its members, contacts, link and owner agree afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom, seedOf, usual_seed } from '../../../../testing/seed.ts';
import { addContact, setReach } from '../../steps/contacts.ts';
import { createGroup, createGroupLink, joinByLink } from '../../steps/groups.ts';
import { createTag } from '../../steps/follows.ts';
import { findPersonas, verifyMobile, type Persona } from '../../world/personas.ts';
import { createWorld, type World } from '../../world/world.ts';

const { seed, label } = seedOf(usual_seed);
/** How often several requests are sent at once; `RACES=1000` is a long run. */
const rounds = Number(process.env['RACES'] ?? 80);
const at_once = 6;
/** After as many rounds everybody is a member of another group, without blocks. */
const rounds_per_group = 10;

/** What must never be, as queries that return nothing. */
const contradictions = {
  'a member in a block with the owner': `
    select 1 from group_invites i join groups g on g.id = i.group_id
    join blocked_pairs b on b.user_id = g.owner_id and b.other_id = i.user_id
    where i.state in ('accepted', 'pending') and g.deleted_at is null`,
  'an owner who is a member': `
    select 1 from group_invites i join groups g on g.id = i.group_id and g.owner_id = i.user_id
    where i.state in ('accepted', 'pending')`,
  'a place by the link without a membership': `
    select 1 from group_members m left join group_invites i on i.id = m.invite_id
    where m.contact_id is null and coalesce(i.state <> 'accepted', true)`,
  'a membership without a place': `
    select 1 from group_invites i
    where i.state = 'accepted' and not exists (select 1 from group_members m where m.invite_id = i.id)`,
  'a contact of somebody else': `
    select 1 from group_members m join groups g on g.id = m.group_id join contacts c on c.id = m.contact_id
    where c.owner_id <> g.owner_id`,
  'a widget that is shared by a former owner': `
    select 1 from widgets w join groups g on g.id = w.group_id where g.deleted_at is null and w.owner_id <> g.owner_id`,
  'somebody in the call of the room whom a block separates from the owner': `
    select 1 from groups g join lasting_rooms r on r.group_id = g.id join calls c on c.room_id = r.id
    join call_participants p on p.call_id = c.id join blocked_pairs b on b.user_id = g.owner_id and b.other_id = p.user_id
    where c.state <> 'ended' and p.state in ('ringing', 'joining', 'joined')`,
  'a link of a former owner, or of a deleted group': `
    select 1 from public_links p join groups g on g.id = p.subject_id
    where p.kind = 'group' and p.revoked_at is null and (p.owner_id <> g.owner_id or g.deleted_at is not null)`,
};

type Act = { route: string; by: Persona; body?: object };

describe(`a group that several people change at once (${label})`, () => {
  let world: World;
  let people: Persona[];
  let group = { id: '' };
  let token = '';
  const widgets = new Map<string, string>();
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const rowsOf = async (query: string) => (await world.app.services.db.native.query(query)).rows;
  const ask = ({ route, by, body }: Act) =>
    world.call(route, { token: by.token, ...(route.startsWith('POST') ? { body: body ?? {} } : body ? { body } : {}) });
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '100000', DATABASE_POOL: '10' } });
    const { alice, bob, carol, uma } = findPersonas();
    await verifyMobile(world, uma);
    people = [alice, bob, carol, uma];
    for (const one of people) {
      await setReach(world, one, { find: 'everyone' });
      const tag = await createTag(world, one, `tag-${one.username}`);
      const widget = { tag_id: tag.id, kind: 'chat', allowed_origins: ['https://shop.example'] };
      const { body } = await ask({ route: 'POST /widgets', by: one, body: widget });
      widgets.set(one.id, body.id);
    }
  });
  afterAll(() => world.close());

  /** A new group of everybody, in place of the one before. */
  async function beginAnew(): Promise<void> {
    for (const { blocker_id, blocked_id } of await rowsOf('select blocker_id, blocked_id from blocks'))
      await ask({ route: `DELETE /blocks/${blocked_id}`, by: personOf(blocker_id) });
    for (const { id, owner_id } of await rowsOf('select id, owner_id from groups where deleted_at is null'))
      await ask({ route: `DELETE /groups/${id}`, by: personOf(owner_id) });
    const owner = pick(people);
    group = await createGroup(world, owner, 'Choir');
    token = await createGroupLink(world, group, owner);
    for (const one of people) if (one !== owner) await joinByLink(world, token, one);
  }

  const personOf = (id: string): Persona => people.find((one) => one.id === id) as Persona;

  /** The contact that one person has of another. */
  async function contactOf(owner: Persona, other: Persona): Promise<string> {
    const [known] = await rowsOf(
      `select contact_id from contact_addresses where owner_id = '${owner.id}' and address = '${other.mobile_number}'`,
    );
    return known?.contact_id ?? (await addContact(world, owner, { phones: [{ number: other.mobile_number }] })).id;
  }

  /** What may be sent next, as often as it is in the list. */
  async function drawActs(owner: Persona): Promise<Act[]> {
    const invites = await rowsOf(`select id, user_id from group_invites where state = 'pending'`);
    const one = () => pick(people);
    const [room] = await rowsOf(`select join_code from lasting_rooms where group_id = '${group.id}'`);
    const contact_id = await contactOf(owner, pick(people.filter((person) => person !== owner)));
    const at = `/groups/${group.id}`;
    const acts: Act[] = [
      { route: `POST /group-links/${token}/join`, by: one() },
      { route: `POST /group-links/${token}/join`, by: one() },
      { route: `POST ${at}/transfer`, by: owner, body: { user_id: one().id } },
      { route: `POST ${at}/transfer`, by: owner, body: { user_id: one().id } },
      { route: `PUT ${at}/members/${contact_id}`, by: owner },
      { route: `DELETE /contacts/${contact_id}`, by: owner },
      { route: `PATCH /widgets/${widgets.get(owner.id)}`, by: owner, body: { group_id: group.id } },
      { route: `DELETE ${at}/people/${one().id}`, by: one() },
      { route: `POST ${at}/leave`, by: one() },
      { route: `PUT ${at}/admins/${one().id}`, by: owner },
      { route: `DELETE ${at}/admins/${one().id}`, by: one() },
      { route: `PUT ${at}/link`, by: one() },
      { route: `DELETE ${at}/link`, by: one() },
      { route: `PUT ${at}/room`, by: one() },
      { route: `DELETE ${at}/room`, by: one() },
      { route: `POST /calls/${room?.join_code ?? 'aaa-bbbb-ccc'}/sfu-grant`, by: one() },
      { route: `POST /calls/${room?.join_code ?? 'aaa-bbbb-ccc'}/sfu-grant`, by: one() },
      { route: `PATCH ${at}`, by: one(), body: { name: 'Band' } },
      { route: `POST ${at}/chat`, by: one(), body: { body: 'Hello' } },
      { route: 'POST /blocks', by: one(), body: { user_id: one().id } },
      ...invites.map(({ id, user_id }) => ({
        route: `POST /group-invites/${id}/${pick(['accept', 'decline'])}`,
        by: personOf(user_id),
      })),
    ];
    return random() < 0.2 ? [...acts, { route: `DELETE ${at}`, by: owner }] : acts;
  }

  async function race(): Promise<string> {
    const [{ owner_id }] = await rowsOf(`select owner_id from groups where id = '${group.id}'`);
    const acts = await drawActs(personOf(owner_id));
    const sent = Array.from({ length: at_once }, () => pick(acts));
    const answers = await Promise.all(sent.map(ask));
    const story = sent.map(({ by, route }, at) => `${by.username} ${route}: ${answers[at]?.status}`).join('\n');
    for (const { status } of answers) expect(status, story).toBeLessThan(500);
    return story;
  }

  it('does not contradict itself', { timeout: 60_000 + rounds * 2000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const exists = await rowsOf(`select 1 from groups where id = '${group.id}' and deleted_at is null`);
      if (exists.length === 0 || round % rounds_per_group === 0) await beginAnew();
      const story = await race();
      for (const [what, query] of Object.entries(contradictions))
        expect([what, await rowsOf(query)], story).toEqual([what, []]);
    }
  });
});
