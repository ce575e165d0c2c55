/** The media server by LiveKit's protocol: the embedded one and a cluster alike. */
import type { ParticipantInfo } from 'livekit-server-sdk';
import { createRollCall } from './media.livekit.cluster.ts';
import type { IceServer, Media, MediaEvent } from './ports.ts';

export type LiveKitOptions = {
  /** Where the service itself calls the room-service API, `http:` or `https:`. */
  api_url: string;
  /** What clients connect to, `ws:` or `wss:`. */
  client_url: string;
  api_key: string;
  api_secret: string;
  /**
   * Whether rooms are spread over nodes that keep in Redis who is in them. What a node wrote there outlives it, so that
   * it is asked whether a node has each of them still.
   */
  clustered?: boolean;
  /** The STUN and TURN servers for an identity, with its own credentials. */
  iceServersFor?: (identity: string) => IceServer[];
};

const KINDS: ReadonlySet<string> = new Set<MediaEvent['kind']>([
  'participant_joined',
  'participant_left',
  'room_finished',
]);

/** Rejections of room-service calls pass through, except that absence is an answer and no error. */
export async function createLiveKitMedia(options: LiveKitOptions): Promise<Media> {
  const { AccessToken, RoomServiceClient, WebhookReceiver } = await import('livekit-server-sdk');
  const { api_url, client_url, api_key, api_secret } = options;
  const rooms = new RoomServiceClient(api_url, api_key, api_secret);
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
    async grant({ room, identity, name, rights, ttl_s }) {
      const token = new AccessToken(api_key, api_secret, { identity, name, ttl: ttl_s });
      token.addGrant({
        room,
        roomJoin: true,
        roomAdmin: rights.admin,
        canPublish: rights.publish,
        canSubscribe: rights.subscribe,
        canPublishData: rights.data,
      });
      // Media servers check tokens by the wall clock, whatever the service's own clock says.
      const expires_at = new Date(Date.now() + ttl_s * 1000);
      const ice_servers = options.iceServersFor?.(identity) ?? [];
      return { url: client_url, token: await token.toJwt(), expires_at, ice_servers };
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
    async remove(room, identity) {
      await unlessAbsent(rooms.removeParticipant(room, identity));
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
