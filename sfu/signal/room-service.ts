import {
  CreateRoomRequest,
  DataPacket,
  DataPacket_Kind,
  DeleteRoomRequest,
  DeleteRoomResponse,
  DisconnectReason,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  MuteRoomTrackRequest,
  MuteRoomTrackResponse,
  RemoveParticipantResponse,
  RoomParticipantIdentity,
  SendDataRequest,
  SendDataResponse,
  UpdateParticipantRequest,
  UserPacket,
} from '@livekit/protocol';
import { LIMITS } from '../limits.ts';
import type { Participant } from '../rooms/participant.ts';
import type { Registry } from '../rooms/registry.ts';
import type { Room } from '../rooms/room.ts';
import { setDetails } from './signal-session.ts';
import { TokenError, verifyToken, type Grants } from '../token.ts';

/** A Twirp error: a code, a message and the corresponding HTTP status. */
export class TwirpError extends Error {
  override name = 'TwirpError';
  readonly code: TwirpCode;

  constructor(code: TwirpCode, message: string) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** The codes of Twirp (https://twitchtv.github.io/twirp/docs/errors.html) that are used here. */
const STATUS = {
  malformed: 400,
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  bad_route: 404,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
} as const;

/** An error code of Twirp. */
export type TwirpCode = keyof typeof STATUS;

/** The methods of protobuf messages that are used here. */
type Encodable = { toBinary(): Uint8Array; toJsonString(): string };
type Decoder<T> = {
  fromBinary(bytes: Uint8Array): T;
  fromJsonString(json: string, options?: { ignoreUnknownFields: boolean }): T;
};
type Right = 'create' | 'list' | 'admin';
type Operation = {
  findRoom(body: Buffer, json: boolean): string;
  run(registry: Registry, grants: Grants, body: Buffer, json: boolean): Encodable;
};

function define<T>(
  decoder: Decoder<T>,
  right: Right,
  room: (request: T) => string,
  act: (registry: Registry, request: T) => Encodable,
): Operation {
  const decode = (body: Buffer, json: boolean): T => {
    try {
      return json
        ? decoder.fromJsonString(body.toString('utf8') || '{}', { ignoreUnknownFields: true })
        : decoder.fromBinary(body);
    } catch {
      throw new TwirpError('malformed', 'the request body could not be decoded');
    }
  };
  return {
    findRoom: (body, json) => room(decode(body, json)),
    run(registry, grants, body, json) {
      const request = decode(body, json);
      const allowed =
        right === 'create'
          ? grants.room_create
          : right === 'list'
            ? grants.room_list
            : grants.room_admin && grants.room === room(request);
      if (!allowed) throw new TwirpError('permission_denied', 'the token does not grant this');
      return act(registry, request);
    },
  };
}

function requireRoom(registry: Registry, name: string): Room {
  const room = registry.rooms.get(name);
  if (!room) throw new TwirpError('not_found', 'requested room does not exist');
  return room;
}

function requireParticipant(
  registry: Registry,
  room_name: string,
  identity: string,
): { room: Room; participant: Participant } {
  const room = requireRoom(registry, room_name);
  const participant = room.participants.get(identity);
  if (!participant) throw new TwirpError('not_found', 'participant does not exist');
  return { room, participant };
}

function createRoom(registry: Registry, request: CreateRoomRequest): Encodable {
  if (request.name === '' || request.name.length > LIMITS.room_name_characters)
    throw new TwirpError('invalid_argument', 'room name is missing or too long');
  if (Buffer.byteLength(request.metadata) > LIMITS.metadata_bytes)
    throw new TwirpError('invalid_argument', 'metadata is too large');
  // Zero means "not set" in protobuf: the server's default applies.
  const room = registry.openRoom(request.name, {
    ...(request.emptyTimeout > 0 && { empty_timeout_s: request.emptyTimeout }),
    ...(request.departureTimeout > 0 && { departure_timeout_s: request.departureTimeout }),
    ...(request.maxParticipants > 0 && { max_participants: request.maxParticipants }),
    ...(request.metadata !== '' && { metadata: request.metadata }),
  });
  if (!room) throw new TwirpError('resource_exhausted', 'too many rooms');
  return room.info();
}

function mutePublishedTrack(registry: Registry, request: MuteRoomTrackRequest): Encodable {
  const { room, participant } = requireParticipant(registry, request.room, request.identity);
  const track = participant.publisher.tracks.get(request.trackSid);
  if (!track) throw new TwirpError('not_found', 'track does not exist');
  // As in LiveKit's default configuration: nobody's microphone is unmuted remotely.
  if (!request.muted && track.info.muted) throw new TwirpError('invalid_argument', 'remote unmute is not enabled');
  room.setMuted(participant, track, request.muted, true);
  return new MuteRoomTrackResponse({ track: track.info });
}

function updateParticipant(registry: Registry, request: UpdateParticipantRequest): Encodable {
  const { room, participant } = requireParticipant(registry, request.room, request.identity);
  if (setDetails(participant, request.name, request.metadata, request.attributes))
    throw new TwirpError('invalid_argument', 'name, metadata or attributes are too large');
  if (request.permission) {
    const { canPublish, canSubscribe, canPublishData, canPublishSources, canUpdateMetadata, hidden } =
      request.permission;
    Object.assign(participant.permission, {
      canPublish,
      canSubscribe,
      canPublishData,
      canPublishSources,
      canUpdateMetadata,
      hidden,
    });
    room.applyPermission(participant);
  } else room.broadcastInfo(participant);
  return participant.info();
}

function sendData(registry: Registry, request: SendDataRequest): Encodable {
  const room = requireRoom(registry, request.room);
  if (request.data.length > LIMITS.data_packet_bytes) throw new TwirpError('invalid_argument', 'data is too large');
  const { destinationIdentities: identities, destinationSids: sids, kind } = request;
  const user = new UserPacket({
    payload: request.data,
    topic: request.topic,
    destinationIdentities: identities,
    destinationSids: sids,
  });
  const packet = new DataPacket({ kind, destinationIdentities: identities, value: { case: 'user', value: user } });
  room.deliverData({
    bytes: Buffer.from(packet.toBinary()),
    reliable: kind === DataPacket_Kind.RELIABLE,
    identities,
    sids,
  });
  return new SendDataResponse();
}

const OPERATIONS: Record<string, Operation> = {
  CreateRoom: define(CreateRoomRequest, 'create', (r) => r.name, createRoom),
  ListRooms: define(
    ListRoomsRequest,
    'list',
    () => '',
    (registry, { names }) => {
      const rooms = [...registry.rooms.values()].filter((room) => names.length === 0 || names.includes(room.name));
      return new ListRoomsResponse({ rooms: rooms.map((room) => room.info()) });
    },
  ),
  DeleteRoom: define(
    DeleteRoomRequest,
    'create',
    (r) => r.room,
    (registry, { room }) => {
      requireRoom(registry, room).finish();
      return new DeleteRoomResponse();
    },
  ),
  ListParticipants: define(
    ListParticipantsRequest,
    'admin',
    (r) => r.room,
    (registry, { room }) => {
      const participants = [...(registry.rooms.get(room)?.participants.values() ?? [])].map((entry) => entry.info());
      return new ListParticipantsResponse({ participants });
    },
  ),
  GetParticipant: define(
    RoomParticipantIdentity,
    'admin',
    (r) => r.room,
    (registry, { room, identity }) => requireParticipant(registry, room, identity).participant.info(),
  ),
  RemoveParticipant: define(
    RoomParticipantIdentity,
    'admin',
    (r) => r.room,
    (registry, { room, identity }) => {
      // Before the lookup: somebody who is just joining must be refused too.
      registry.bar(room, identity);
      const found = requireParticipant(registry, room, identity);
      found.room.remove(found.participant, DisconnectReason.PARTICIPANT_REMOVED);
      return new RemoveParticipantResponse();
    },
  ),
  MutePublishedTrack: define(MuteRoomTrackRequest, 'admin', (r) => r.room, mutePublishedTrack),
  UpdateParticipant: define(UpdateParticipantRequest, 'admin', (r) => r.room, updateParticipant),
  SendData: define(SendDataRequest, 'admin', (r) => r.room, sendData),
};

/** One call: the last part of its path, such as `CreateRoom`, and the access token. */
export type TwirpCall = { method: string; content_type: string; bearer: string; body: Buffer };

/** The body of a successful reply: protobuf or JSON, as the call was. */
export type TwirpReply = { content_type: string; body: Uint8Array | string };

function requireOperation({ method, content_type }: TwirpCall): { operation: Operation; json: boolean } {
  const operation = Object.hasOwn(OPERATIONS, method) ? OPERATIONS[method] : undefined;
  if (!operation) throw new TwirpError('bad_route', 'no such method');
  const json = content_type.startsWith('application/json');
  if (!json && !content_type.startsWith('application/protobuf'))
    throw new TwirpError('bad_route', 'unexpected content type');
  return { operation, json };
}

/** The room that a call concerns; undefined for all rooms. @throws TwirpError */
export function findRoom(call: TwirpCall): string | undefined {
  const { operation, json } = requireOperation(call);
  return operation.findRoom(call.body, json) || undefined;
}

/**
 * Runs one call of LiveKit's room service.
 * @throws TwirpError
 */
export function callRoomService(
  options: { registry: Registry; api_key: string; api_secret: string },
  call: TwirpCall,
): TwirpReply {
  const { operation, json } = requireOperation(call);
  let grants: Grants;
  try {
    grants = verifyToken(call.bearer, options.api_key, options.api_secret);
  } catch (error) {
    if (error instanceof TokenError) throw new TwirpError('unauthenticated', error.message);
    throw error;
  }
  const reply = operation.run(options.registry, grants, call.body, json);
  return json
    ? { content_type: 'application/json', body: reply.toJsonString() }
    : { content_type: 'application/protobuf', body: reply.toBinary() };
}
