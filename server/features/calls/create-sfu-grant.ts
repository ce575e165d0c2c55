import { plan_limits } from '../../domain/entitlements.ts';
import { isPresent, lockCall, moveParticipant, settleCall } from '../../domain/calling.ts';
import { JoinCode, partOf, requireCall } from '../../domain/conferences.ts';
import { isUniqueViolation } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { component, moment, object, optional, Type } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { insertParticipants, selectName, selectTier } from './queries.ts';

const grant_ttl_s = 300;

export const SfuGrant = component(
  'SfuGrant',
  object({
    url: Type.String({ description: 'The media server, for the LiveKit client SDKs.' }),
    token: Type.String(),
    room: Type.String(),
    identity: Type.String(),
    expires_at: moment,
    ice_servers: Type.Array(
      object({
        urls: Type.Array(Type.String()),
        username: optional(Type.String()),
        credential: optional(Type.String()),
      }),
    ),
  }),
);

export const createSfuGrant = endpoint({
  id: 'createSfuGrant',
  route: 'POST /calls/{join_code}/sfu-grant',
  summary: 'Media-server grant',
  idempotent: false,
  path: object({ join_code: JoinCode }),
  reply: SfuGrant,
  errors: ['gone', 'call_in_progress', 'plan_limit_reached'],
  async run({ caller, path, services, ...change }) {
    const { db, id, now } = change;
    const seen = await requireCall(db, path.join_code, caller.user_id);
    const call = await lockCall(change, seen.id);
    if (call.state === 'ended') fail('gone', { message: 'This call has ended.' });
    const part = partOf(call, caller.user_id);
    if (!part || !isPresent(part)) {
      const present = call.participants.filter(isPresent).length;
      // The host's plan, as when it was started; the call's lock keeps two who come at once from both being the last.
      const tier = await selectTier(db, call.host_id);
      if (present >= plan_limits[tier].call_participants) fail('plan_limit_reached');
    }
    const name = part?.name ?? (await selectName(db, caller.user_id));
    try {
      if (!part) {
        await insertParticipants(db, call.id, [
          {
            id: id('part'),
            user_id: caller.user_id,
            name,
            state: 'joining',
            role: 'guest',
            silent: false,
            joining_at: now,
          },
        ]);
      } else if (part.state !== 'joined') {
        await moveParticipant(change, part.id, ['ringing', 'joining', 'left', 'declined', 'no_answer'], 'joining');
      }
    } catch (error) {
      if (isUniqueViolation(error, 'call_participants_active')) fail('call_in_progress');
      throw error;
    }
    await settleCall(change, services, call.id, part?.state !== 'joined');
    const rights = { publish: true, subscribe: true, data: true, admin: false };
    const grant = await services.media.grant({
      room: call.id,
      identity: caller.user_id,
      name,
      rights,
      ttl_s: grant_ttl_s,
    });
    return {
      url: grant.url,
      token: grant.token,
      room: call.id,
      identity: caller.user_id,
      expires_at: wireTime(grant.expires_at),
      ice_servers: grant.ice_servers,
    };
  },
});
