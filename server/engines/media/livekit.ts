/** The media server by LiveKit's protocol: the embedded one and a cluster alike. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ParticipantInfo, RoomServiceClient } from 'livekit-server-sdk';
import { openLiveKitClients } from '../livekit-rpc.ts';
import { createPresenceCheck } from './livekit.cluster.ts';
import { createGrants } from './livekit.grants.ts';
import type { IceServer, Media, MediaEvent } from '../ports.ts';

/** A media server that implements LiveKit's protocol. */
export type LiveKitOptions = {
  /** The room-service API for the service itself, `http:` or `https:`. */
  api_url: string;
  /** The address for clients, `ws:` or `wss:`. */
  client_url: string;
  api_key: string;
  api_secret: string;
  /** The secret of clients' grants where there is a gateway before the media server; `api_secret` by default. */
  client_secret?: string;
  /**
   * Whether rooms are spread over nodes that store their participants in Redis. Entries of a dead node remain, so that
   * each participant is checked with its node.
   */
  clustered?: boolean;
  /** The STUN and TURN servers for an identity, with its own credentials. */
  iceServersFor?: (identity: string) => IceServer[];
};

/** The interval and the time limit of checks whether a removed participant has left. */
const removal_looks = 20;
const removal_look_ms = 50;

const KINDS: ReadonlySet<string> = new Set<MediaEvent['kind']>([
  'participant_joined',
  'participant_left',
  'room_finished',
]);

/** Errors of room-service calls pass through, except that absence is a result and not an error. */
export async function createLiveKitMedia(options: LiveKitOptions): Promise<Media> {
  const { TrackSource, WebhookReceiver } = await import('livekit-server-sdk');
  const { api_url, client_url, api_key, api_secret } = options;
  const grants = await createGrants({ api_key, api_secret, client_secret: options.client_secret ?? api_secret });
  const { rooms } = await openLiveKitClients({ api_url, api_key, api_secret });
  const webhooks = new WebhookReceiver(api_key, api_secret);
  const sources = [['microphone', TrackSource.MICROPHONE] as const, ['camera', TrackSource.CAMERA] as const];
  const isThere = createPresenceCheck();
  /** Whether a node answers a request about a participant: one that changes no subscription. */
  const isServed = (room: string, { sid, identity }: ParticipantInfo) =>
    isThere(sid, async () => {
      const answer = await unlessAbsent(rooms.updateSubscriptions(room, identity, [], false).then(() => true));
      return answer ?? false;
    });

  return {
    client_url,
    async grant({ ttl_s, ...input }) {
      const token = await grants.sign({ ttl_s, ...input });
      // Media servers verify tokens by the wall clock; the service's clock may be moved in tests.
      const expires_at = new Date(Date.now() + ttl_s * 1000);
      const ice_servers = options.iceServersFor?.(input.identity) ?? [];
      return { url: client_url, token, expires_at, ice_servers };
    },
    readGrant: grants.read,
    async openRoom(room) {
      await rooms.createRoom({ name: room });
    },
    async participants(room) {
      const found = await unlessAbsent(rooms.listParticipants(room));
      const listed = (found ?? []).filter(({ permission }) => !permission?.hidden);
      const are_here = await Promise.all(listed.map((one) => !options.clustered || isServed(room, one)));
      return listed.filter((_, at) => are_here[at]).map(identityOf);
    },
    async hasRoom(room) {
      if ((await rooms.listRooms([room])).length === 0) return false;
      if (!options.clustered) return true;
      // Data without recipients, which the node of the room accepts and drops.
      const to_nobody = { destinationIdentities: [room] };
      return (await unlessAbsent(rooms.sendData(room, new Uint8Array(), 0, to_nobody).then(() => true))) ?? false;
    },
    remove: (room, identity) => removeFromRoom(rooms, room, identity),
    async sourcesOf(room, identity) {
      const found = await unlessAbsent(rooms.getParticipant(room, identity));
      const on = found?.tracks.filter(({ muted }) => !muted).map(({ source }) => source);
      return on && sources.flatMap(([name, source]) => (on.includes(source) ? [name] : []));
    },
    async mute(room, identity) {
      const found = await unlessAbsent(rooms.getParticipant(room, identity));
      const microphones =
        found?.tracks.filter(({ source, muted }) => source === TrackSource.MICROPHONE && !muted) ?? [];
      for (const { sid } of microphones) await unlessAbsent(rooms.mutePublishedTrack(room, identity, sid, true));
    },
    async closeRoom(room) {
      await unlessAbsent(rooms.deleteRoom(room));
    },
    async receive(raw_body, authorization) {
      const event = await webhooks.receive(raw_body, authorization);
      if (!KINDS.has(event.event) || !event.room || event.participant?.permission?.hidden) return undefined;
      return {
        id: event.id,
        kind: event.event as MediaEvent['kind'],
        room: event.room.name,
        ...(event.participant && readParticipant(event.participant)),
        at: new Date(Number(event.createdAt) * 1000),
      };
    },
    close: () => Promise.resolve(),
  };
}

/** Removes a participant and waits until they have left. @throws Error while they are still there */
async function removeFromRoom(rooms: RoomServiceClient, room: string, identity: string): Promise<void> {
  for (let looks = 0; looks < removal_looks; looks++) {
    const found = await unlessAbsent(rooms.getParticipant(room, identity));
    if (!found && looks > 0) return;
    // Not for a hidden recorder, which that would make visible; it neither publishes nor appears in events.
    if (found && !found.permission?.hidden) {
      // Permissions are revoked first, which takes effect at once, even if the removal fails.
      const permission = { canPublish: false, canPublishData: false, canSubscribe: false };
      await rooms.updateParticipant(room, identity, { permission }).catch(() => undefined);
    }
    // Also for a person who is not connected: one who is currently joining must be refused.
    const removed = await unlessAbsent(rooms.removeParticipant(room, identity).then(() => true));
    if (!removed) return;
    await wait(removal_look_ms);
  }
  throw new Error('the media server still has somebody who was removed');
}

/** LiveKit's `DisconnectReason` by number, in lower case. */
const reasons = [
  'unknown_reason',
  'client_initiated',
  'duplicate_identity',
  'server_shutdown',
  'participant_removed',
  'room_deleted',
  'state_mismatch',
  'join_failure',
  'migration',
  'signal_close',
  'room_closed',
  'user_unavailable',
  'user_rejected',
  'sip_trunk_failure',
  'connection_timeout',
  'media_failure',
  'agent_error',
];

type Participant = Pick<ParticipantInfo, 'identity' | 'attributes' | 'disconnectReason'>;

/**
 * Our identity of a participant. A phone that dialled in by LiveKit's SIP service has an identity of that service, with
 * ours in an attribute (`engines/telephony/livekit.ts`); clients cannot set it, since our grants do not allow it.
 */
const identityOf = ({ identity, attributes }: Pick<Participant, 'identity' | 'attributes'>): string =>
  attributes['asterism.identity'] ?? identity;

function readParticipant(participant: Participant) {
  const { identity, attributes, disconnectReason } = participant;
  return {
    identity: identityOf(participant),
    ...(attributes['sip.callID'] ? { attributes: { ...attributes, 'sip.identity': identity } } : {}),
    ...(disconnectReason ? { reason: reasons[disconnectReason] ?? 'unknown_reason' } : {}),
  };
}

/**
 * Absence as undefined: Twirp's `not_found` (https://twitchtv.github.io/twirp/docs/errors.html), and LiveKit's answer
 * that no node of the cluster has the participant, which takes 3 s.
 */
async function unlessAbsent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    const { code, status, message } = error as { code?: string; status?: number; message?: string };
    if (code === 'not_found' || status === 404) return undefined;
    if (code === 'unavailable' && message?.includes('no response from servers')) return undefined;
    throw error;
  }
}
