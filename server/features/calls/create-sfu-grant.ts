import { prepareEventCall } from '../../domain/calendar/event-calls.ts';
import { prepareRoomCall } from '../../domain/calls/lasting-rooms.ts';
import { updateOpenCall } from '../../domain/calls/update-call.ts';
import { identityOf } from '../../domain/calls/state/room-identities.ts';
import { JoinCode, participantOf } from '../../domain/calls/state/calls.ts';
import { isUniqueViolation } from '../../kernel/database/database.ts';
import { askBeforeRecording, joinCall } from '../../domain/calls/join-call.ts';
import { callerIdOf, isGuest, sessionIdOf } from '../../kernel/caller.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, found } from '../../kernel/errors.ts';
import { component, moment, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { default_limits } from '../../kernel/load/limits.ts';
import { selectConnection } from './queries.ts';

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
        urls: Type.Array(Type.String(), { maxItems: default_limits.ice_servers }),
        username: optional(Type.String()),
        credential: optional(Type.String()),
      }),
      { maxItems: default_limits.ice_servers },
    ),
    captions: Type.Boolean({ description: 'Whether the service can caption your speech in the call.' }),
    sources: optional(
      Type.Array(oneOf('microphone', 'camera'), {
        description:
          'An extension: the devices that you have on in this call on another client, which the new one replaces; absent when you are not connected.',
        maxItems: 2,
      }),
    ),
  }),
);

export const createSfuGrant = endpoint({
  id: 'createSfuGrant',
  route: 'POST /calls/{join_code}/sfu-grant',
  summary: 'Get a media server grant',
  gate: 'guest',
  throttle: 'call_update',
  idempotent: false,
  path: object({ join_code: JoinCode }),
  body: object({
    asks_consent: optional(
      Type.Boolean({
        description:
          'Your client asks before you are recorded, and answers by `PUT /calls/{join_code}/recording/consent`.',
      }),
    ),
  }),
  reply: SfuGrant,
  errors: ['gone', 'call_in_progress', 'call_locked', 'not_open_yet', 'plan_limit_reached'],
  async prepare({ caller, path, services }) {
    const connection = await selectConnection(services.db, path.join_code, callerIdOf(caller));
    if (!connection) return undefined;
    // Without this one can still join; a media server that does not answer is found by the connection to it.
    return services.media.sourcesOf(connection.room, connection.identity).catch((error: unknown) => {
      services.log.warn({ err: error }, 'failed to read what a participant has on');
      return undefined;
    });
  },
  async run({ caller, path, body, prepared: sources, ...change }) {
    // Guests cannot start a call.
    if (!isGuest(caller)) {
      await prepareEventCall(change, path.join_code, caller);
      await prepareRoomCall(change, path.join_code, caller);
    }
    let name = '';
    const call = await updateOpenCall(change, path.join_code, callerIdOf(caller), async (update) => {
      name = await joinCall(change, update, caller);
      if (body.asks_consent) await askBeforeRecording(change, update, callerIdOf(caller));
    }).catch((error: unknown) => {
      if (
        isUniqueViolation(error, 'call_participants_active') ||
        isUniqueViolation(error, 'call_participants_guest_active')
      )
        fail('call_in_progress');
      throw error;
    });
    // No client feature uses data messages: chat goes through the API.
    const rights = { publish: true, subscribe: true, data: false, admin: false };
    const participant = found(participantOf(call, callerIdOf(caller)));
    const identity = identityOf(participant);
    const holder = { session_id: sessionIdOf(caller), generation: participant.grant_generation };
    const grant = await change.services.media.grant({
      room: call.id,
      identity,
      name,
      rights,
      ttl_s: grant_ttl_s,
      holder,
    });
    return {
      url: grant.url,
      token: grant.token,
      room: call.id,
      identity,
      expires_at: wireTime(grant.expires_at),
      ice_servers: grant.ice_servers,
      captions: change.services.speech.is_absent !== true && !isGuest(caller),
      ...(sources ? { sources } : {}),
    };
  },
});
