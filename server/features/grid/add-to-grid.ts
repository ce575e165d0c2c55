import { lockContact } from '../../domain/contacts/contacts.ts';
import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import { lockMembers, selectGrid, selectGridCall, writeOrder } from './queries.ts';
import { gridUpdated } from './events.ts';
import { GridMember, place, presentGrid } from './schemas.ts';

export const addToGrid = endpoint({
  id: 'addToGrid',
  route: 'POST /grid/members',
  summary: 'Add or move a favourite',
  description: 'Members after the position move up.',
  body: object({
    contact_id: idOf('con'),
    position: optional(Type.Integer({ ...place, description: 'From 0; the end by default.' })),
  }),
  reply: GridMember,
  status: [201, 200],
  errors: ['plan_limit_reached'],
  async run({ caller, body: { contact_id, position }, db, now, emit, services }) {
    const owner_id = caller.user_id;
    if (!(await lockContact(db, contact_id, owner_id))) invalid({ contact_id: 'is not one of your contacts' });
    const order = await lockMembers(db, owner_id);
    const is_new = !order.includes(contact_id);
    if (is_new && order.length >= plan_limits[caller.tier].grid_members) fail('plan_limit_reached');
    if (is_new || position !== undefined) {
      const others = order.filter((id) => id !== contact_id);
      const contact_ids = others.toSpliced(position ?? others.length, 0, contact_id);
      await writeOrder(db, owner_id, { contact_ids, added: is_new ? contact_id : undefined }, now);
      emit(gridUpdated, [`user:${owner_id}`], {});
    }
    const [contacts, call] = [await selectGrid(db, owner_id), await selectGridCall(db, owner_id)];
    const { members } = presentGrid(contacts, call, { id: owner_id, services });
    return reply(is_new ? 201 : 200, found(members.find(({ contact }) => contact.id === contact_id)));
  },
});
