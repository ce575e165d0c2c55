/** The receiving end of a media connection: a full ICE agent that takes Opus and sends nothing but reports. */
import { isIP } from 'node:net';
import type * as WeriftModule from 'werift';
import type { RTCDtlsTransport, RtpPacket } from 'werift';
import { readSections } from '../sdp.ts';

/** A packet of a track, by the track's sid. */
export type TrackPacket = { track_sid: string; sequence: number; timestamp: number; payload: Buffer };

export type ReceivingPeer = {
  /** Applies the server's offer and makes the answer. @throws when the offer cannot be used */
  acceptOffer(sdp: string): Promise<string>;
  /** Takes a candidate that the server told of (RFC 8838). */
  addCandidate(candidate_init: string): void;
  close(): Promise<void>;
};

const is_loopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** What a full ICE agent for Opus alone is made with; towards loopback it keeps to loopback. */
export function opusPeerOptions(werift: typeof WeriftModule, server_host: string) {
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
      video: [],
    },
  };
}

/**
 * Makes a peer; werift is loaded at the first one.
 * @param server_host where the signal socket goes: towards loopback the peer keeps to loopback
 * @param onFailed the connection is lost for good
 */
export async function createReceivingPeer(
  server_host: string,
  onPacket: (packet: TrackPacket) => void,
  onFailed: () => void,
): Promise<ReceivingPeer> {
  const werift = await import('werift');
  const peer = new werift.RTCPeerConnection(opusPeerOptions(werift, server_host));
  const tracks = new Map<number, string>();
  const receive = ({ header, payload }: RtpPacket) => {
    const track_sid = tracks.get(header.ssrc);
    const { sequenceNumber: sequence, timestamp } = header;
    if (track_sid !== undefined && payload.length > 0) onPacket({ track_sid, sequence, timestamp, payload });
  };
  const hooked = new Set<RTCDtlsTransport>();
  peer.connectionStateChange.subscribe((state) => {
    if (state === 'failed') onFailed();
  });
  return {
    async acceptOffer(sdp) {
      tracks.clear();
      for (const { kind, sends, ssrcs, track_id } of readSections(sdp))
        if (kind === 'audio' && sends && track_id !== undefined) for (const ssrc of ssrcs) tracks.set(ssrc, track_id);
      await peer.setRemoteDescription({ type: 'offer', sdp });
      for (const transport of peer.dtlsTransports) {
        if (hooked.has(transport)) continue;
        hooked.add(transport);
        // werift's own router would keep every packet for a player that is not here.
        transport.onRtp.allUnsubscribe();
        transport.onRtp.subscribe(receive);
      }
      await peer.setLocalDescription(await peer.createAnswer());
      return peer.localDescription?.sdp ?? '';
    },
    addCandidate(candidate_init) {
      // One that cannot be used is passed over, since others will do.
      void peer.addIceCandidate(JSON.parse(candidate_init) as { candidate: string }).catch(() => undefined);
    },
    close: () => peer.close(),
  };
}
