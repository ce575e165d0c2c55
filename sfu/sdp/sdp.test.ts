import { expect, test } from 'vitest';
import { writeAnswer, writeOffer, type TransportDescription } from './sdp-writer.ts';
import { LIMITS } from '../limits.ts';
import { readDescription, readSections, requireValidDescription } from './sdp.ts';

const transport: TransportDescription = {
  ufrag: 'abcd',
  password: 'efghijklmnopqrstuvwxyz',
  fingerprints: [{ algorithm: 'sha-256', value: 'AA:BB' }],
  setup: 'passive',
  candidates: [
    { ip: '203.0.113.5', port: 7882, protocol: 'udp' },
    { ip: '203.0.113.5', port: 7881, protocol: 'tcp' },
  ],
};
const parameters = { dtx: true, stereo: false, red: true };
const OFFER = `v=0
o=- 1 1 IN IP4 127.0.0.1
s=-
t=0 0
a=fingerprint:sha-256 11:22
a=setup:actpass
m=application 9 UDP/DTLS/SCTP webrtc-datachannel
a=mid:0
a=ice-ufrag:peer
a=sctp-port:5000
m=audio 9 UDP/TLS/RTP/SAVPF 109 63 9
a=mid:1
a=sendonly
a=msid:- mic
a=rtpmap:109 opus/48000/2
a=rtpmap:63 RED/48000/2
a=rtpmap:9 G722/8000
a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid
m=video 9 UDP/TLS/RTP/SAVPF 98 120
a=mid:2
a=sendonly
a=rtpmap:98 VP9/90000
a=rtpmap:120 VP8/90000
a=rid:q send
a=rid:f send
m=video 9 UDP/TLS/RTP/SAVPF 98
a=mid:3
a=sendonly
a=rtpmap:98 VP9/90000
`.replaceAll('\n', '\r\n');

test('accepts data, Opus after RED, and VP8 with its layers, and rejects other sections', () => {
  const { sections, ufrag, fingerprints, setup } = readDescription(OFFER);
  expect([ufrag, fingerprints, setup]).toEqual(['peer', [{ algorithm: 'sha-256', value: '11:22' }], 'actpass']);
  const answer = writeAnswer(1, sections, transport, () => parameters);
  expect(answer).toContain('a=group:BUNDLE 0 1 2\r\n');
  expect(answer).toContain('m=audio 9 UDP/TLS/RTP/SAVPF 63 109\r\n');
  expect(answer).toContain('a=fmtp:63 109/109\r\n');
  expect(answer).toMatch(/a=fmtp:109 .*usedtx=1\r\n/);
  expect(answer).toContain('a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid\r\n');
  expect(answer).toContain('m=video 9 UDP/TLS/RTP/SAVPF 120\r\n');
  expect(answer).toContain('a=simulcast:recv q;f\r\n');
  expect(answer).toContain('m=video 0 UDP/TLS/RTP/SAVPF 98\r\n');
  expect(answer.indexOf('a=ice-lite')).toBeLessThan(answer.indexOf('m='));
  expect(answer.match(/a=candidate:\d+ 1 udp .* 203\.0\.113\.5 7882 typ host\r\n/g)).toHaveLength(1);
  expect(answer).toContain('203.0.113.5 7881 typ host tcptype passive');
});

test('accepts a bundle-only section with port 0, as Firefox offers a second video', () => {
  const section = ['m=video 0 UDP/TLS/RTP/SAVPF 120', 'a=mid:4', 'a=sendonly', 'a=msid:{s} {screen}'];
  const offer = (more: string[]) => `${OFFER}${[...section, ...more, 'a=rtpmap:120 VP8/90000', ''].join('\r\n')}`;
  const answerTo = (sdp: string) => writeAnswer(1, readDescription(sdp).sections, transport, () => parameters);
  const joined = offer(['a=bundle-only']);
  expect(readSections(joined).at(-1)).toMatchObject({ mid: '4', sends: true, track_id: '{screen}' });
  expect(answerTo(joined)).toMatch(/m=video 9 UDP\/TLS\/RTP\/SAVPF 120\r\n[^]*a=mid:4/);
  expect(answerTo(joined)).toMatch(/a=group:BUNDLE [\d ]*4\r\n/);
  expect(readSections(offer([])).at(-1)).toMatchObject({ mid: '4', sends: false });
  expect(answerTo(offer([]))).not.toMatch(/a=group:BUNDLE [\d ]*4\r\n/);
});

test('leaves out RED and DTX when they are disabled for the track', () => {
  const { sections } = readDescription(OFFER);
  const answer = writeAnswer(1, sections, transport, () => ({ dtx: false, stereo: true, red: false }));
  expect(answer).toContain('m=audio 9 UDP/TLS/RTP/SAVPF 109\r\n');
  expect(answer).not.toContain('usedtx');
  expect(answer).toContain('stereo=1');
});

test('offers streams, and inactive sections for those that have ended', () => {
  const stream = { ssrc: 11, rtx_ssrc: 12, stream_id: 'PA_1|TR_1', track_id: 'TR_1', stereo: false };
  const offer = writeOffer(
    2,
    [
      { mid: '1', kind: 'video', stream },
      { mid: '2', kind: 'audio', stream: undefined },
    ],
    { ...transport, setup: 'actpass' },
  );
  expect(readSections(offer)).toMatchObject([
    { mid: '1', kind: 'video', sends: true, track_id: 'TR_1', ssrcs: [11, 12] },
    { mid: '2', kind: 'audio', sends: false, track_id: undefined, ssrcs: [] },
  ]);
});

/** Creates a description as large as the limits allow, filled with lines of one kind. */
function fill(line: (index: number) => string, head = OFFER): string {
  const lines = [head.trimEnd()];
  for (let bytes = head.length, index = 0; ; index++) {
    const next = line(index);
    bytes += next.length + 2;
    if (bytes > LIMITS.sdp_bytes - 2) return `${lines.join('\r\n')}\r\n`;
    lines.push(next);
  }
}

test.each([
  ['fingerprints', fill((index) => `a=fingerprint:sha-256 ${index}`)],
  ['streams', fill((index) => `a=ssrc:${index} cname:x`)],
  ['streams of one name', fill(() => 'a=ssrc:1 cname:x')],
  ['layers', fill((index) => `a=rid:${index} send`)],
  ['codecs', fill((index) => `a=rtpmap:${index % 128} opus/48000/2`)],
  ['extensions', fill((index) => `a=extmap:${index} urn:${index}`)],
  ['candidates', fill((index) => `a=candidate:${index} 1 udp 1 10.0.0.1 1 typ host`)],
  ['directions', fill(() => 'a=sendonly')],
  ['empty lines', fill(() => '')],
  ['empty attributes', fill(() => 'a=')],
  ['names that are no attributes', fill(() => 'a=constructor:x')],
  ['sections', fill(() => 'm=audio 9 UDP/TLS/RTP/SAVPF 111')],
  ['formats', `${OFFER.trimEnd()}\r\nm=audio 9 UDP/TLS/RTP/SAVPF${' 111'.repeat(45_000)}\r\n`],
  ['one long line', `${OFFER.trimEnd()}\r\na=mid:${'x'.repeat(190_000)}\r\n`],
])('a description full of %s is processed within 100 ms of CPU time', (_, sdp) => {
  expect(sdp.length).toBeGreaterThan(150_000);
  const costs = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    try {
      requireValidDescription(sdp, LIMITS.sdp_sections);
      writeAnswer(1, readDescription(sdp).sections, transport, () => parameters);
    } catch (error) {
      expect(String(error)).toMatch(/too (many|long)|too many media sections/);
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  // CPU time of this thread, since other work may run in parallel; the first round includes compilation.
  expect(Math.min(...costs)).toBeLessThan(100);
});
