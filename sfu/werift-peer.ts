import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type * as WeriftModule from 'werift';
import type { RTCPeerConnection } from 'werift';
import type { EngineOptions } from './rtp-engine.ts';
import { EXTENSIONS } from './sdp.ts';

export type Werift = typeof WeriftModule;

function isLocalAddress(ip: string): boolean {
  return Object.values(networkInterfaces()).some((entries) => entries?.some((entry) => entry.address === ip));
}

/** Where to bind: one socket on the given address when it is ours, else one on every address of the machine. */
function chooseAddresses(node_ip: string | undefined) {
  if (node_ip === undefined || !isLocalAddress(node_ip)) return {};
  return {
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [node_ip],
    iceInterfaceAddresses: isIP(node_ip) === 6 ? { udp6: node_ip } : { udp4: node_ip },
  };
}

type StunMessage = { attributesKeys: readonly string[] };

/**
 * Makes a peer connection that speaks Opus and VP8 only, answers checks as an ICE-lite agent and asks no outside server.
 * It sends to whichever address the peer nominated last (RFC 8445, 8.1.1), since that is where a peer is whose network
 * or whose router's translation has changed; werift alone keeps to the first.
 * @param onStun called for each connectivity or consent check of the peer
 */
export function createPeerConnection(werift: Werift, options: EngineOptions, onStun: () => void): RTCPeerConnection {
  const followPeer = (message: StunMessage, [host, port]: Readonly<[string, number]>) => {
    if (!message.attributesKeys.includes('USE-CANDIDATE')) return;
    for (const { connection } of peer.iceTransports) {
      const current = connection.nominated?.remoteAddr;
      if (current && (current[0] !== host || current[1] !== port)) connection.resetNominatedPair();
    }
  };
  const extension = (uri: string) => new werift.RTCRtpHeaderExtensionParameters({ uri });
  const feedback = [
    { type: 'nack' },
    { type: 'nack', parameter: 'pli' },
    { type: 'ccm', parameter: 'fir' },
    { type: 'goog-remb' },
  ];
  const peer: RTCPeerConnection = new werift.RTCPeerConnection({
    // Without an explicit empty list werift asks an outside STUN server.
    iceServers: [],
    iceLite: true,
    bundlePolicy: 'max-bundle',
    ...chooseAddresses(options.node_ip),
    iceFilterStunResponse: (message, address) => {
      onStun();
      followPeer(message, address);
      return true;
    },
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
      video: [
        new werift.RTCRtpCodecParameters({
          mimeType: 'video/VP8',
          clockRate: 90_000,
          payloadType: 96,
          rtcpFeedback: feedback,
        }),
      ],
    },
    headerExtensions: {
      audio: [extension(EXTENSIONS.mid), extension(EXTENSIONS.level)],
      video: [extension(EXTENSIONS.mid), extension(EXTENSIONS.rid)],
    },
  });
  return peer;
}
