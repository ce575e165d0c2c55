/** The receiving end of a media connection: a full ICE agent that takes Opus and VP8 and sends nothing but requests. */
import { isIP } from 'node:net';
import type * as WeriftModule from 'werift';
import type { RtcpPacket, RTCDtlsTransport, RtpPacket } from 'werift';
import { readSections } from '../../signal/sdp.ts';
import { writeNack, writePictureLoss } from '../../transport/control.ts';

/** A packet of a track, by the track's sid. Without a payload it is padding, of pictures alone. */
export type TrackPacket = {
  track_sid: string;
  sequence: number;
  timestamp: number;
  /** Of pictures: the last packet of a frame (RFC 7741, 4.1). */
  marker: boolean;
  payload: Buffer;
};

export type ReceivingPeer = {
  /** Applies the server's offer and makes the answer. @throws when the offer cannot be used */
  acceptOffer(sdp: string): Promise<string>;
  /** Takes a candidate that the server told of (RFC 8838). */
  addCandidate(candidate_init: string): void;
  /** Asks for a picture of a track that needs none before it (RFC 4585, 6.3.1), once a packet of it has come. */
  requestKeyFrame(track_sid: string): void;
  /** Asks for packets of a track again (RFC 4585, 6.2.1). */
  requestPackets(track_sid: string, sequences: number[]): void;
  close(): Promise<void>;
};

const is_loopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** What a full ICE agent for Opus, and VP8 where pictures are taken, is made with; towards loopback it keeps to loopback. */
export function peerOptions(werift: typeof WeriftModule, server_host: string, takes_pictures = false) {
  const loopback = isIP(server_host) === 4 ? server_host : '127.0.0.1';
  return {
    // Without an explicit empty list werift asks an outside STUN server.
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
      // Without a stream of repeats (RFC 4588), what is asked for again comes in the stream itself.
      video: takes_pictures
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
 * Makes a peer; werift is loaded at the first one.
 * @param server_host where the signal socket goes: towards loopback the peer keeps to loopback
 * @param takes_pictures whether pictures are taken too
 * @param onFailed the connection is lost for good
 */
export async function createReceivingPeer(
  server_host: string,
  takes_pictures: boolean,
  onPacket: (packet: TrackPacket) => void,
  onFailed: () => void,
): Promise<ReceivingPeer> {
  const werift = await import('werift');
  const peer = new werift.RTCPeerConnection(peerOptions(werift, server_host, takes_pictures));
  const tracks = new Map<number, { track_sid: string; has_pictures: boolean }>();
  /** Under what number the pictures of a track come, and where requests for them go. */
  const sources = new Map<string, { ssrc: number; transport: RTCDtlsTransport }>();
  const receive = ({ header, payload }: RtpPacket, transport: RTCDtlsTransport) => {
    const { track_sid, has_pictures } = tracks.get(header.ssrc) ?? {};
    if (track_sid === undefined || (payload.length === 0 && !has_pictures)) return;
    if (has_pictures && sources.get(track_sid)?.ssrc !== header.ssrc)
      sources.set(track_sid, { ssrc: header.ssrc, transport });
    const { sequenceNumber: sequence, timestamp, marker } = header;
    onPacket({ track_sid, sequence, timestamp, marker, payload });
  };
  const request = (track_sid: string, write: (ssrc: number) => RtcpPacket) => {
    const source = sources.get(track_sid);
    // One that is lost is made again a moment later.
    if (source) void source.transport.sendRtcp([write(source.ssrc)]).catch(() => undefined);
  };
  const hooked = new Set<RTCDtlsTransport>();
  peer.connectionStateChange.subscribe((state) => {
    if (state === 'failed') onFailed();
  });
  return {
    async acceptOffer(sdp) {
      tracks.clear();
      for (const { kind, sends, ssrcs, track_id: track_sid } of readSections(sdp)) {
        const has_pictures = kind === 'video';
        if (!sends || track_sid === undefined || (has_pictures && !takes_pictures)) continue;
        for (const ssrc of ssrcs) tracks.set(ssrc, { track_sid, has_pictures });
      }
      await peer.setRemoteDescription({ type: 'offer', sdp });
      for (const transport of peer.dtlsTransports) {
        if (hooked.has(transport)) continue;
        hooked.add(transport);
        // werift's own router would keep every packet for a player that is not here.
        transport.onRtp.allUnsubscribe();
        transport.onRtp.subscribe((packet) => receive(packet, transport));
      }
      await peer.setLocalDescription(await peer.createAnswer());
      return peer.localDescription?.sdp ?? '';
    },
    addCandidate(candidate_init) {
      // One that cannot be used is passed over, since others will do.
      void peer.addIceCandidate(JSON.parse(candidate_init) as { candidate: string }).catch(() => undefined);
    },
    requestKeyFrame: (track_sid) => request(track_sid, (ssrc) => writePictureLoss(werift, ssrc)),
    requestPackets: (track_sid, sequences) => request(track_sid, (ssrc) => writeNack(werift, ssrc, sequences)),
    close: () => peer.close(),
  };
}
