import { requireContact } from '../../domain/contacts/contacts.ts';
import { plan_limits } from '../../domain/accounts/entitlements.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { notFoundAsInvalid, fail, found } from '../../kernel/errors.ts';
import { idOf, object, optional, Type } from '../../kernel/schema.ts';
import { lockGrid, selectGrid, selectGridCall, writeGrid } from './queries.ts';
import { gridUpdated } from './events.ts';
import { GridMember, presentGrid } from './schemas.ts';

export const addToGrid = endpoint({
  id: 'addToGrid',
  route: 'POST /grid/members',
  summary: 'Add or move a favourite',
  description: 'Members after the position move up.',
  body: object({
    contact_id: idOf('con'),
    position: optional(Type.Integer({ minimum: 0, maximum: 15, description: 'From 0; the end by default.' })),
  }),
  reply: GridMember,
  status: [201, 200],
  errors: ['plan_limit_reached'],
  async run({ caller, body: { contact_id, position }, db, now, emit, services }) {
    await requireContact(db, contact_id, caller.user_id).catch(
      notFoundAsInvalid({ contact_id: 'is not one of your contacts' }),
    );
    const order = await lockGrid(db, caller.user_id);
    const is_new = !order.includes(contact_id);
    if (is_new && order.length >= plan_limits[caller.tier].grid_members) fail('plan_limit_reached');
    if (is_new || position !== undefined) {
      const others = order.filter((id) => id !== contact_id);
      await writeGrid(db, caller.user_id, others.toSpliced(position ?? others.length, 0, contact_id), now);
      emit(gridUpdated, [`user:${caller.user_id}`], {});
    }
    const [contacts, call] = [await selectGrid(db, caller.user_id), await selectGridCall(db, caller.user_id)];
    const { members } = presentGrid(contacts, call, { id: caller.user_id, services });
    return reply(is_new ? 201 : 200, found(members.find(({ contact }) => contact.id === contact_id)));
  },
});
