/** The media server by LiveKit's protocol: the embedded one and a cluster alike. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ParticipantInfo, RoomServiceClient } from 'livekit-server-sdk';
import { createRollCall } from './livekit.cluster.ts';
import { createGrants } from './livekit.grants.ts';
import type { IceServer, Media, MediaEvent } from '../ports.ts';

export type LiveKitOptions = {
  /** Where the service itself calls the room-service API, `http:` or `https:`. */
  api_url: string;
  /** What clients connect to, `ws:` or `wss:`. */
  client_url: string;
  api_key: string;
  api_secret: string;
  /** What clients' grants are signed with where a gateway stands before the media server; `api_secret` if left out. */
  client_secret?: string;
  /**
   * Whether rooms are spread over nodes that keep in Redis who is in them. What a node wrote there outlives it, so that
   * it is asked whether a node has each of them still.
   */
  clustered?: boolean;
  /** The STUN and TURN servers for an identity, with its own credentials. */
  iceServersFor?: (identity: string) => IceServer[];
};

/** How often, and after how long, it is looked whether somebody who was removed has gone. */
const removal_looks = 20;
const removal_look_ms = 50;

const KINDS: ReadonlySet<string> = new Set<MediaEvent['kind']>([
  'participant_joined',
  'participant_left',
  'room_finished',
]);

/** Rejections of room-service calls pass through, except that absence is an answer and no error. */
export async function createLiveKitMedia(options: LiveKitOptions): Promise<Media> {
  const { RoomServiceClient: Client, TrackSource, WebhookReceiver } = await import('livekit-server-sdk');
  const { api_url, client_url, api_key, api_secret } = options;
  const grants = await createGrants({ api_key, api_secret, client_secret: options.client_secret ?? api_secret });
  const rooms = new Client(api_url, api_key, api_secret);
  const webhooks = new WebhookReceiver(api_key, api_secret);
  const isThere = createRollCall();
  /** Whether a node takes a request about a participant: one that changes no subscription. */
  const isServed = (room: string, { sid, identity }: ParticipantInfo) =>
    isThere(sid, async () => {
      const answer = await unlessAbsent(rooms.updateSubscriptions(room, identity, [], false).then(() => true));
      return answer ?? false;
    });

  return {
    client_url,
    async grant({ ttl_s, ...input }) {
      const token = await grants.sign({ ttl_s, ...input });
      // Media servers check tokens by the wall clock, whatever the service's own clock says.
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
      // Data for nobody, which the node that has the room takes and drops.
      const to_nobody = { destinationIdentities: [room] };
      return (await unlessAbsent(rooms.sendData(room, new Uint8Array(), 0, to_nobody).then(() => true))) ?? false;
    },
    remove: (room, identity) => removeFromRoom(rooms, room, identity),
    async mute(room, identity) {
      const found = await unlessAbsent(rooms.getParticipant(room, identity));
      const heard = found?.tracks.filter(({ source, muted }) => source === TrackSource.MICROPHONE && !muted) ?? [];
      for (const { sid } of heard) await unlessAbsent(rooms.mutePublishedTrack(room, identity, sid, true));
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

/** Takes somebody out and waits until they have gone. @throws Error while they are still there */
async function removeFromRoom(rooms: RoomServiceClient, room: string, identity: string): Promise<void> {
  for (let looks = 0; looks < removal_looks; looks++) {
    const found = await unlessAbsent(rooms.getParticipant(room, identity));
    if (!found && looks > 0) return;
    // What hides a recorder would be undone, and it neither speaks nor is heard of.
    if (found && !found.permission?.hidden) {
      // Taken first: it works at once, whatever becomes of the removal. That goes on where this fails.
      const permission = { canPublish: false, canPublishData: false, canSubscribe: false };
      await rooms.updateParticipant(room, identity, { permission }).catch(() => undefined);
    }
    // Also of somebody who is not there: who is on the way in must not come.
    const removed = await unlessAbsent(rooms.removeParticipant(room, identity).then(() => true));
    if (!removed) return;
    await wait(removal_look_ms);
  }
  throw new Error('the media server still has somebody who was removed');
}

/** LiveKit's `DisconnectReason` by its numbers, in small letters. */
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
 * Who a participant is to us. A phone that dialled in by LiveKit's SIP service has a name of that service's, and ours is
 * written beside it (`telephony.livekit.ts`); clients cannot, since no grant of ours lets them.
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
 * Absence as undefined: Twirp's `not_found` (https://twitchtv.github.io/twirp/docs/errors.html), and LiveKit's word that
 * no node of the cluster has what is asked for, which it gives after 3 s.
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
