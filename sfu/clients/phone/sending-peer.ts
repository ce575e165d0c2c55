/** The sending end of a media connection: one Opus track, and a data channel. */
import { peerOptions, watchConnection } from '../recorder/receiving-peer.ts';
import { EXTENSIONS, readDescription } from '../../sdp/sdp.ts';
import { loadWerift } from '../../transport/handshake-guard.ts';

/** 20 ms of Opus. */
export type VoicePacket = {
  sequence: number;
  timestamp: number;
  /** The first packet after a pause (RFC 3551, section 4.1). */
  marker: boolean;
  /** The level in dB below full scale, 0 to 127 (RFC 6464). */
  level_db: number;
  payload: Uint8Array;
};

/** The peer connection that sends the audio of a phone. */
export type SendingPeer = {
  /** The track id in the session description (`cid` of LiveKit's `addTrack`). */
  readonly cid: string;
  createOffer(): Promise<string>;
  /** @throws when the answer cannot be applied */
  acceptAnswer(sdp: string): Promise<void>;
  /** Adds a remote ICE candidate (RFC 8838). */
  addCandidate(candidate_init: string): void;
  /** Sends audio; dropped until the connection is established. */
  send(packet: VoicePacket): void;
  /** Sends data reliably and in order, once the channel is open. */
  sendData(data: Buffer): void;
  close(): Promise<void>;
};

/** The amount of data buffered until the channel opens. */
const WAITING_DATA = 64;

/**
 * Creates a peer; werift is loaded with the first.
 * @param server_host the host of the signal socket: for loopback only loopback candidates are used
 * @param onFailed the connection has failed permanently, with the reason if the server did not prove who it is
 */
export async function createSendingPeer(
  server_host: string,
  onFailed: (refusal: Error | undefined) => void,
): Promise<SendingPeer> {
  const werift = await loadWerift();
  const peer = new werift.RTCPeerConnection({
    ...peerOptions(werift, server_host),
    headerExtensions: {
      audio: [EXTENSIONS.mid, EXTENSIONS.level].map((uri) => new werift.RTCRtpHeaderExtensionParameters({ uri })),
    },
  });
  const connecting = watchConnection(peer, onFailed);
  const { sender } = peer.addTransceiver('audio', { direction: 'sendonly' });
  // Without a stream werift omits the track id from the description.
  sender.streamIds = ['phone'];
  const channel = peer.createDataChannel('_reliable', { ordered: true });
  const waiting: Buffer[] = [];
  channel.stateChanged.subscribe((state) => {
    if (state === 'open') for (const data of waiting.splice(0)) channel.send(data);
  });
  let level_id = 0;
  return {
    cid: sender.trackId,
    async createOffer() {
      await peer.setLocalDescription(await peer.createOffer());
      return peer.localDescription?.sdp ?? '';
    },
    async acceptAnswer(sdp) {
      connecting.begin();
      level_id = readDescription(sdp).sections[0]?.extensions.get(EXTENSIONS.level) ?? 0;
      await peer.setRemoteDescription({ type: 'answer', sdp });
    },
    addCandidate(candidate_init) {
      // An invalid candidate is ignored, since others may work.
      void peer.addIceCandidate(JSON.parse(candidate_init) as { candidate: string }).catch(() => undefined);
    },
    send({ sequence, timestamp, marker, level_db, payload }) {
      const header = new werift.RtpHeader({
        sequenceNumber: sequence,
        timestamp,
        marker,
        ssrc: sender.ssrc,
        payloadType: 111,
        extension: true,
        // The first bit is the voice activity flag.
        extensions: level_id ? [{ id: level_id, payload: Buffer.from([0x80 | level_db]) }] : [],
      });
      void sender.sendRtp(new werift.RtpPacket(header, Buffer.from(payload))).catch(() => undefined);
    },
    sendData(data) {
      if (channel.readyState === 'open') channel.send(data);
      else if (waiting.length < WAITING_DATA) waiting.push(data);
    },
    close() {
      connecting.end();
      return peer.close();
    },
  };
}
