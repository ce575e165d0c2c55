import {
  CallGuest,
  guestAsked,
  presentCallGuest,
  reserveWaitingPlace,
  selectCallForGuests,
  topicsOf,
} from '../../domain/calls/link-guests.ts';
import { selectRoomForGuests } from '../../domain/calls/lasting-rooms.ts';
import type { Queryable } from '../../kernel/database/database.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { networksOf } from '../../kernel/load/client-address.ts';
import { component, idOf, lineText, moment, object, Type } from '../../kernel/schema.ts';
import { hashToken, generateToken } from '../../kernel/security/secret.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { connect_s, hideAbsentGuest } from './jobs.ts';
import { JoinCodePath } from './schemas.ts';
import { insertGuest } from './queries.ts';

/** How long a guest's token is valid, in seconds: longer than most calls; they can request another. */
const guest_ttl_s = 4 * 60 * 60;

/** Refuses a guest: there is no such call, or the lasting room is empty. @throws ApiError */
async function refuseGuest(db: Queryable, join_code: string): Promise<never> {
  if (await selectRoomForGuests(db, join_code)) fail('not_open_yet', { message: 'No one is in this room yet.' });
  return fail('not_found');
}

const CallGuestToken = component(
  'CallGuestToken',
  object({ token: Type.String(), expires_at: moment, conference_id: idOf('conf'), guest: CallGuest }),
);

export const createCallGuest = endpoint({
  id: 'createCallGuest',
  route: 'POST /calls/{join_code}/guests',
  summary: 'Ask to join a call as a guest',
  description:
    'Without an account, by the link of a call whose host allows guests. While your state is `waiting`, the token gives no access to the call.',
  gate: 'public',
  extension: true,
  // A token is returned once: answers with tokens are not stored.
  idempotent: false,
  throttle: 'call_guest',
  path: JoinCodePath,
  body: object({ name: lineText(1, 80) }),
  reply: CallGuestToken,
  status: [201],
  errors: ['not_found', 'not_open_yet', 'plan_limit_reached'],
  async run({ path, body, origin, ...change }) {
    const { db, id, now, emit, enqueue } = change;
    // Locked, so that concurrent guests cannot exceed the limit.
    const call = await selectCallForGuests(db, path.join_code, { lock: true });
    if (!call) return refuseGuest(db, path.join_code);
    const admission = call.guests === 'open' ? ('admitted' as const) : ('waiting' as const);
    const network_hash = change.services.secrets.sign('guest network', networksOf(origin.ip)[0]);
    if (admission === 'waiting') await reserveWaitingPlace(change, call, network_hash);
    const token = generateToken('astg_');
    const expires_at = after(now, guest_ttl_s);
    const guest = { id: id('gst'), name: body.name, admission, created_at: now };
    await insertGuest(db, { ...guest, call_id: call.id, token_hash: hashToken(token), network_hash, expires_at });
    const shown = presentCallGuest(guest);
    if (admission === 'waiting') {
      emit(guestAsked, topicsOf(call), { join_code: call.join_code, guest: shown });
      const run_at = after(now, connect_s);
      enqueue(hideAbsentGuest, { guest_id: guest.id }, { key: `hide-absent:${guest.id}`, run_at });
    }
    return reply(201, { token, expires_at: wireTime(expires_at), conference_id: call.id, guest: shown });
  },
});
