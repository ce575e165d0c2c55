import type { Viewer } from '../../domain/visibility/viewer.ts';
import { participant_states } from '../../domain/calls/state/call-machine.ts';
import { Call, presentCall, type CallRow } from '../../domain/calls/state/calls.ts';
import { Contact, presentContact, type ContactRow } from '../../domain/contacts/contacts.ts';
import { component, nullable, object, oneOf, Type, type Static } from '../../kernel/schema.ts';
import { default_limits } from '../../kernel/load/limits.ts';

/** `idle`: not in the call of the grid, or there is none. */
const tile_states = ['idle', ...participant_states] as const;

/** The places in a grid. */
export const place = { minimum: 0, maximum: default_limits.grid_members - 1 };

export const GridMember = component(
  'GridMember',
  object({
    contact: Contact,
    position: Type.Integer(place),
    state: oneOf(...tile_states),
  }),
);

export const Grid = component(
  'Grid',
  object({ members: Type.Array(GridMember, { maxItems: default_limits.grid_members }), call: nullable(Call) }),
);

/** A grid with the state of each member in its call. */
export function presentGrid(
  contacts: ContactRow[],
  call: CallRow | undefined,
  viewer: Pick<Viewer, 'id' | 'services'>,
): Static<typeof Grid> {
  return {
    members: contacts.map((contact, position) => ({
      contact: presentContact(contact, viewer),
      position,
      state: stateOf(contact, call),
    })),
    call: call ? presentCall(call, viewer) : null,
  };
}

/** A tile is active for a contact however they joined the call: by the grid, as an account, or by phone. */
function stateOf(contact: ContactRow, call: CallRow | undefined): (typeof tile_states)[number] {
  const numbers = contact.phones.map(({ number }) => number);
  const part = call?.participants.find(
    (one) =>
      one.contact_id === contact.id ||
      (one.user_id !== null && one.user_id === contact.user?.id) ||
      (one.user_id === null && one.phone !== null && numbers.includes(one.phone)),
  );
  return part?.state ?? 'idle';
}
