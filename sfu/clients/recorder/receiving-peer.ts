/**
 * The receiving end of a media connection: a full ICE agent that receives Opus and VP8 and sends only RTCP feedback.
 */
import { isIP } from 'node:net';
import type * as WeriftModule from 'werift';
import type { RtcpPacket, RTCDtlsTransport, RtpPacket } from 'werift';
import { readSections } from '../../sdp/sdp.ts';
import { findRefusal, loadWerift } from '../../transport/handshake-guard.ts';
import { writeNack, writePictureLoss } from '../../transport/control.ts';

/** An RTP packet of a track, by the track's sid. An empty payload is padding, which occurs for video only. */
export type TrackPacket = {
  track_sid: string;
  sequence: number;
  timestamp: number;
  /** For video: the last packet of a frame (RFC 7741, 4.1). */
  marker: boolean;
  payload: Buffer;
};

/** The peer connection that receives all tracks of a room. */
export type ReceivingPeer = {
  /** Applies the server's offer and creates the answer. @throws when the offer cannot be applied */
  acceptOffer(sdp: string): Promise<string>;
  /** Adds a remote ICE candidate (RFC 8838). */
  addCandidate(candidate_init: string): void;
  /** Requests a key frame of a track (PLI; RFC 4585, 6.3.1), once a packet of it has arrived. */
  requestKeyFrame(track_sid: string): void;
  /** Requests retransmission of packets (NACK; RFC 4585, 6.2.1). */
  requestPackets(track_sid: string, sequences: number[]): void;
  close(): Promise<void>;
};

const is_loopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** The options of a full ICE agent for Opus and, optionally, VP8; for loopback only loopback candidates are used. */
export function peerOptions(werift: typeof WeriftModule, server_host: string, takes_video = false) {
  const loopback = isIP(server_host) === 4 ? server_host : '127.0.0.1';
  return {
    // Without an explicit empty list werift uses a public STUN server.
    iceServers: [],
    bundlePolicy: 'max-bundle' as const,
    ...(is_loopback(server_host) && { iceAdditionalHostAddresses: [loopback] }),
    codecs: {
      audio: [
        new werift.RTCRtpCodecParameters({
          mimeType: 'audio/opus',
          clockRate: 48_000,
          channels: 2,
          payloadType: 111,
          parameters: 'minptime=10;useinbandfec=1',
        }),
      ],
      // Without an RTX stream (RFC 4588), retransmissions arrive in the stream itself.
      video: takes_video
        ? [
            new werift.RTCRtpCodecParameters({
              mimeType: 'video/VP8',
              clockRate: 90_000,
              rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }],
            }),
          ]
        : [],
    },
  };
}

/**
 * How long a connection may take. A handshake that somebody has ended by one forged message cannot be mended, and werift
 * gives up after half a minute: later than the media server, which then removes the participant for good.
 */
const CONNECT_MS = 8_000;

/**
 * Watches whether a connection is established in time, and whether it fails.
 * @param onFailed it has failed permanently, with the reason if the server did not prove who it is
 */
export function watchConnection(
  peer: WeriftModule.RTCPeerConnection,
  onFailed: (refusal: Error | undefined) => void,
): { begin(): void; end(): void } {
  let clock: NodeJS.Timeout | undefined;
  let has_begun = false;
  const fail = () => onFailed(findRefusal(peer.dtlsTransports));
  // The state of the peer is `connected` before the handshake.
  const isEstablished = () => peer.dtlsTransports.every(({ state }) => state === 'connected');
  peer.connectionStateChange.subscribe((state) => {
    if (state === 'failed') fail();
  });
  return {
    begin() {
      if (!has_begun) clock = setTimeout(() => !isEstablished() && fail(), CONNECT_MS);
      has_begun = true;
    },
    end: () => clearTimeout(clock),
  };
}

/**
 * Creates a peer; werift is loaded with the first.
 * @param server_host the host of the signal socket: for loopback only loopback candidates are used
 * @param takes_video whether video is received too
 * @param onFailed the connection has failed permanently, with the reason if the server did not prove who it is
 */
export async function createReceivingPeer(
  server_host: string,
  takes_video: boolean,
  onPacket: (packet: TrackPacket) => void,
  onFailed: (refusal: Error | undefined) => void,
): Promise<ReceivingPeer> {
  const werift = await loadWerift();
  const peer = new werift.RTCPeerConnection(peerOptions(werift, server_host, takes_video));
  const tracks = new Map<number, { track_sid: string; is_video: boolean }>();
  /** The SSRC of each video track, and where its feedback is sent. */
  const sources = new Map<string, { ssrc: number; transport: RTCDtlsTransport }>();
  const receive = ({ header, payload }: RtpPacket, transport: RTCDtlsTransport) => {
    const { track_sid, is_video } = tracks.get(header.ssrc) ?? {};
    if (track_sid === undefined || (payload.length === 0 && !is_video)) return;
    if (is_video && sources.get(track_sid)?.ssrc !== header.ssrc)
      sources.set(track_sid, { ssrc: header.ssrc, transport });
    const { sequenceNumber: sequence, timestamp, marker } = header;
    onPacket({ track_sid, sequence, timestamp, marker, payload });
  };
  const request = (track_sid: string, write: (ssrc: number) => RtcpPacket) => {
    const source = sources.get(track_sid);
    // A lost request is repeated a moment later.
    if (source) void source.transport.sendRtcp([write(source.ssrc)]).catch(() => undefined);
  };
  const hooked = new Set<RTCDtlsTransport>();
  const connecting = watchConnection(peer, onFailed);
  return {
    async acceptOffer(sdp) {
      tracks.clear();
      for (const { kind, sends, ssrcs, track_id: track_sid } of readSections(sdp)) {
        const is_video = kind === 'video';
        if (!sends || track_sid === undefined || (is_video && !takes_video)) continue;
        for (const ssrc of ssrcs) tracks.set(ssrc, { track_sid, is_video });
      }
      await peer.setRemoteDescription({ type: 'offer', sdp });
      for (const transport of peer.dtlsTransports) {
        if (hooked.has(transport)) continue;
        hooked.add(transport);
        // werift's own router would buffer every packet for a player that does not exist.
        transport.onRtp.allUnsubscribe();
        transport.onRtp.subscribe((packet) => receive(packet, transport));
      }
      connecting.begin();
      await peer.setLocalDescription(await peer.createAnswer());
      return peer.localDescription?.sdp ?? '';
    },
    addCandidate(candidate_init) {
      // An invalid candidate is ignored, since others may work.
      void peer.addIceCandidate(JSON.parse(candidate_init) as { candidate: string }).catch(() => undefined);
    },
    requestKeyFrame: (track_sid) => request(track_sid, (ssrc) => writePictureLoss(werift, ssrc)),
    requestPackets: (track_sid, sequences) => request(track_sid, (ssrc) => writeNack(werift, ssrc, sequences)),
    close() {
      connecting.end();
      return peer.close();
    },
  };
}
