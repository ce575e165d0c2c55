import type { IncomingMessage } from 'node:http';
import {
  ClientConfigSetting,
  ClientConfiguration,
  DisconnectReason,
  ICEServer,
  JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantUpdate,
  ReconnectResponse,
  ServerInfo,
  SignalResponse,
  type SignalResponse as Signal,
} from '@livekit/protocol';
import type { RawData } from 'ws';
import type { SignalSocket } from './signal-socket.ts';
import { LIMITS } from '../limits.ts';
import type { Participant } from '../rooms/participant.ts';
import type { Registry } from '../rooms/registry.ts';
import type { Room } from '../rooms/room.ts';
import { SignalSession } from './signal-session.ts';
import { renewToken, TokenError, verifyToken, type Grants } from '../token.ts';
import type { IceServerEntry } from './turn.ts';

/** What joining needs. */
export type ConnectOptions = {
  registry: Registry;
  api_key: string;
  api_secret: string;
  iceServersFor(identity: string): IceServerEntry[];
  log(level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>): void;
};

/** The version reported to clients: the LiveKit release whose protocol is implemented here. */
const SERVER_INFO = new ServerInfo({ version: '1.13.5', protocol: 16, region: '', nodeId: 'asterism' });

/** The target of a request; an invalid one (such as `//`) counts as an unknown path. */
export function readTarget(request: IncomingMessage): URL {
  return URL.parse(request.url ?? '/', 'http://localhost') ?? new URL('http://localhost/malformed');
}

/** The access token of a request, from its query or its Authorization header. */
export function readBearer(request: IncomingMessage): string {
  const query = readTarget(request).searchParams.get('access_token');
  return query ?? (request.headers.authorization ?? '').replace(/^Bearer /i, '');
}

/** Checks that a request may join a room. @throws TokenError with a text for the client */
export function requireJoinGrants(
  request: IncomingMessage,
  options: Pick<ConnectOptions, 'api_key' | 'api_secret'>,
): Grants {
  const grants = verifyToken(readBearer(request), options.api_key, options.api_secret);
  if (!grants.room_join || grants.room === '') throw new TokenError('token does not allow to join a room');
  if (grants.room.length > LIMITS.room_name_characters) throw new TokenError('room name is too long');
  if (grants.identity === '' || grants.identity.length > LIMITS.identity_characters)
    throw new TokenError('token has no usable identity');
  return grants;
}

/** Sends to a client; one that does not read is disconnected, and can resume. */
export function sendWithinLimit(socket: SignalSocket, bytes: Uint8Array): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > LIMITS.signal_buffered_bytes) socket.terminate();
  else socket.send(bytes);
}

const sendTo = (socket: SignalSocket, message: Signal['message']) =>
  socket.send(new SignalResponse({ message }).toBinary());

/** Serves one signal socket from its opening on: a new join, or the resumption of an earlier one. */
export async function serveSocket(
  socket: SignalSocket,
  query: URLSearchParams,
  grants: Grants,
  options: ConnectOptions,
): Promise<void> {
  // Frames that arrive while the engine loads are queued.
  const early: { data: RawData; binary: boolean }[] = [];
  const keepEarly = (data: RawData, binary: boolean) => {
    if (early.length < LIMITS.signal_queue_messages) early.push({ data, binary });
  };
  socket.on('message', keepEarly);
  socket.on('error', () => undefined);
  const found =
    query.get('reconnect') === '1'
      ? resume(socket, grants, query.get('sid') ?? '', options)
      : await join(
          socket,
          grants,
          query.get('auto_subscribe') !== '0' && query.get('auto_subscribe') !== 'false',
          options,
        );
  socket.off('message', keepEarly);
  if (!found) return;
  attach(socket, { ...found, grants }, early, options);
}

async function join(socket: SignalSocket, grants: Grants, auto_subscribe: boolean, options: ConnectOptions) {
  const found = await options.registry.join(grants, auto_subscribe);
  if (!found) {
    refuse(socket, DisconnectReason.JOIN_FAILURE, LeaveRequest_Action.DISCONNECT);
    return undefined;
  }
  const { room, participant } = found;
  bindSignal(socket, participant);
  const value = new JoinResponse({
    room: room.info(),
    participant: participant.info(),
    otherParticipants: room.othersFor(participant),
    serverVersion: SERVER_INFO.version,
    serverInfo: SERVER_INFO,
    subscriberPrimary: true,
    pingTimeout: LIMITS.ping_timeout_s,
    pingInterval: LIMITS.ping_interval_s,
    iceServers: toIceServers(options.iceServersFor(grants.identity)),
    clientConfiguration: new ClientConfiguration({ resumeConnection: ClientConfigSetting.ENABLED }),
    enabledPublishCodecs: [{ mime: 'audio/opus' }, { mime: 'video/VP8' }],
  });
  participant.send({ case: 'join', value });
  participant.subscriber.negotiate();
  return found;
}

function resume(socket: SignalSocket, grants: Grants, sid: string, options: ConnectOptions) {
  const room = options.registry.rooms.get(grants.room);
  const participant = room?.participants.get(grants.identity);
  if (!room || !participant || participant.sid !== sid || options.registry.isBarred(grants)) {
    // Unknown session, for example after a restart of the server: the client then joins again.
    refuse(socket, DisconnectReason.STATE_MISMATCH, LeaveRequest_Action.RECONNECT);
    return undefined;
  }
  const older = participant.signal;
  bindSignal(socket, participant);
  older?.close();
  const iceServers = toIceServers(options.iceServersFor(grants.identity));
  participant.send({ case: 'reconnect', value: new ReconnectResponse({ iceServers, serverInfo: SERVER_INFO }) });
  const participants = [participant.info(), ...room.othersFor(participant)];
  participant.send({ case: 'update', value: new ParticipantUpdate({ participants }) });
  // Only the client knows whether its network changed: its media path is always re-established.
  participant.subscriber.repeatOffer();
  participant.subscriber.negotiate(true);
  return { room, participant };
}

const toIceServers = (entries: IceServerEntry[]): ICEServer[] => entries.map((entry) => new ICEServer(entry));

function refuse(socket: SignalSocket, reason: DisconnectReason, action: LeaveRequest_Action): void {
  const canReconnect = action !== LeaveRequest_Action.DISCONNECT;
  sendTo(socket, { case: 'leave', value: new LeaveRequest({ reason, action, canReconnect }) });
  socket.close();
}

function bindSignal(socket: SignalSocket, participant: Participant): void {
  participant.detached_at_ms = undefined;
  participant.signal = {
    send: (bytes) => sendWithinLimit(socket, bytes),
    close: () => socket.close(),
  };
}

function attach(
  socket: SignalSocket,
  { room, participant, grants }: { room: Room; participant: Participant; grants: Grants },
  early: { data: RawData; binary: boolean }[],
  options: ConnectOptions,
): void {
  const own_signal = participant.signal;
  const session = new SignalSession(room, participant, (error) => {
    options.log('warn', 'signal failed', { room: room.name, identity: participant.identity, error: String(error) });
    room.remove(participant, DisconnectReason.STATE_MISMATCH);
    socket.terminate();
  });
  let heard_at_ms = performance.now();
  const receive = (data: RawData, binary: boolean) => {
    heard_at_ms = performance.now();
    // A socket that was replaced by a resume is ignored.
    if (participant.signal === own_signal && !participant.closed) session.receive(toBuffer(data), binary);
  };
  for (const { data, binary } of early) receive(data, binary);
  socket.on('message', receive);
  let renewed_at_ms = -Infinity;
  const renew = (now_ms: number) => {
    if (now_ms - renewed_at_ms < LIMITS.token_renewal_ms || participant.closed) return;
    renewed_at_ms = now_ms;
    // Changes of permissions since they joined apply to their reconnection too.
    const { permission } = participant;
    const present: Grants = {
      ...grants,
      can_publish: permission.canPublish,
      can_subscribe: permission.canSubscribe,
      can_publish_data: permission.canPublishData,
      can_publish_sources: permission.canPublishSources,
      can_update_own_metadata: permission.canUpdateMetadata,
      hidden: permission.hidden,
    };
    const value = renewToken(present, options.api_key, options.api_secret, LIMITS.renewed_token_s);
    if (participant.signal === own_signal) participant.send({ case: 'refreshToken', value });
  };
  // The first one at once: the token of the join may be about to expire.
  renew(performance.now());
  const watch = setInterval(() => {
    const now_ms = performance.now();
    renew(now_ms);
    if (now_ms - heard_at_ms > LIMITS.signal_silence_ms) socket.terminate();
  }, 2_000);
  const detach = () => {
    clearInterval(watch);
    if (participant.signal !== own_signal) return;
    participant.signal = undefined;
    participant.detached_at_ms = performance.now();
  };
  if (socket.readyState === socket.CLOSED) detach();
  else socket.once('close', detach);
}

function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
