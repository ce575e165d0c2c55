import { expect, it } from 'vitest';
import { randomFrom, seedOf, usual_seed } from '../../../../testing/seed.ts';
import { slow } from '../../../../testing/slow-tests.ts';
import { createGroup, joinGroup } from '../../../testing/steps/groups.ts';
import { findPersonas, type Persona, type Personas } from '../../../testing/world/personas.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';

const { seed, label } = seedOf(usual_seed);
const rounds = 12;

/** What must hold of all groups, as queries that select what does not. */
const violations = {
  'an owner is a member': `select g.id from groups g join group_invites i on i.group_id = g.id and i.user_id = g.owner_id
    where i.state = 'accepted' and g.deleted_at is null`,
  'a member has no place': `select i.id from group_invites i join groups g on g.id = i.group_id
    where i.state = 'accepted' and g.deleted_at is null
      and (select count(*) from group_members m where m.invite_id = i.id) <> 1`,
  'somebody without a contact is not a member': `select m.group_id from group_members m join groups g on g.id = m.group_id
    where m.contact_id is null and g.deleted_at is null
      and not exists (select 1 from group_invites i where i.id = m.invite_id and i.state = 'accepted')`,
  'a contact is not of the owner': `select m.group_id from group_members m join groups g on g.id = m.group_id
    join contacts c on c.id = m.contact_id where c.owner_id <> g.owner_id`,
  'a link is not of the owner': `select g.id from groups g join public_links p on p.kind = 'group' and p.subject_id = g.id
    where p.revoked_at is null and (p.owner_id <> g.owner_id or g.deleted_at is not null)`,
};

it(`groups stay consistent while their people join, leave, remove and transfer at once (${label})`, slow, async () => {
  const world: World = await createWorld({ environment: { THROTTLE_FACTOR: '1000000' } });
  try {
    const people: Personas = findPersonas();
    const everybody = [people.alice, people.bob, people.carol];
    const random = randomFrom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const group = await createGroup(world, people.alice, 'Busy');
    await joinGroup(world, group, people.alice, people.bob);
    const at = `/groups/${group.id}`;
    const links = new Set<string>();
    const moves: ((who: Persona, other: Persona) => Promise<{ status: number; body: { url?: string } }>)[] = [
      (who) => world.call(`PUT ${at}/link`, { token: who.token }),
      (who) => world.call(`DELETE ${at}/link`, { token: who.token }),
      (who) => world.call(`POST ${at}/leave`, { token: who.token }),
      (who) => world.call(`POST /group-links/${pick([...links, 'none'])}/join`, { token: who.token }),
      (who) => world.call(`POST /group-links/${[...links].at(-1) ?? 'none'}/join`, { token: who.token }),
      (who, other) => world.call(`DELETE ${at}/people/${other.id}`, { token: who.token }),
      (who, other) => world.call(`PUT ${at}/admins/${other.id}`, { token: who.token }),
      (who, other) => world.call(`POST ${at}/transfer`, { token: who.token, body: { user_id: other.id } }),
    ];
    let accepted = 0;
    const note = ({ body }: { body: { url?: string } }) => {
      if (body.url !== undefined) links.add(body.url.split('/g/')[1] ?? '');
    };
    for (let round = 0; round < rounds; round++) {
      // Whoever may, gives it a link again.
      for (const who of everybody) note(await world.call(`PUT ${at}/link`, { token: who.token }));
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => pick(moves)(pick(everybody), pick(everybody))),
      );
      for (const { status, body } of answers) {
        expect(status).toBeLessThan(500);
        if (status < 300) accepted += 1;
        note({ body });
      }
      for (const [what, query] of Object.entries(violations)) {
        const { rows } = await world.app.services.db.native.query(query);
        expect([round, what, rows]).toEqual([round, what, []]);
      }
    }
    expect(accepted).toBeGreaterThan(rounds / 2);
  } finally {
    await world.close();
  }
});
