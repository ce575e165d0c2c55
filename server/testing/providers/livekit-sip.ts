/**
 * A mock of LiveKit with its SIP service: the part of its Twirp API that calls phones, and its webhook events about
 * them.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { TokenVerifier } from 'livekit-server-sdk';
import type { MediaEvent } from '../../engines/ports.ts';

/** The API key that it accepts. */
export const livekit_key = { api_key: 'key', api_secret: 'a-secret-of-thirty-two-characters' };

type Row = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- messages of many types
type Phone = { room: string; identity: string; name: string; attributes: Record<string, string>; request: Row };
type Refusal = { status: number; body: { code: string; msg: string; meta?: Record<string, string> } };

const absent: Refusal = { status: 404, body: { code: 'not_found', msg: 'participant does not exist' } };
/** Numbers that it rejects, each in a different way. */
const refused = new Map<string, Refusal>([
  ['+15005550001', { status: 503, body: { code: 'unavailable', msg: 'no response from servers' } }],
  [
    '+15005550002',
    {
      status: 400,
      body: { code: 'invalid_argument', msg: 'busy', meta: { sip_status_code: '486', sip_status: 'Busy' } },
    },
  ],
  ['+15005550003', { status: 418, body: { code: 'teapot', msg: 'no' } }],
]);

/** Starts the mock server on a free port of 127.0.0.1. */
export async function startLiveKitSip() {
  const trunks: Row[] = [];
  const inbound: Row[] = [];
  const rules: Row[] = [];
  const phones = new Map<string, Phone>();
  const requests: string[] = [];
  const find = ({ room, identity }: Row) => phones.get(`${room}/${identity}`);
  const show = ({ identity, name, attributes }: Phone) => ({ identity, name, attributes });

  const methods: Record<string, (body: Row) => Row | Refusal> = {
    'SIP/ListSIPOutboundTrunk': () => ({ items: trunks }),
    'SIP/ListSIPInboundTrunk': () => ({ items: inbound }),
    'SIP/ListSIPDispatchRule': () => ({ items: rules }),
    'SIP/CreateSIPOutboundTrunk': ({ trunk }) => add(trunks, { ...trunk, sipTrunkId: `ST_${trunks.length}` }),
    'SIP/CreateSIPInboundTrunk': ({ trunk }) => add(inbound, { ...trunk, sipTrunkId: `ST_in_${inbound.length}` }),
    'SIP/CreateSIPDispatchRule': (body) => {
      const rule = body['dispatchRule'] ?? body;
      return add(rules, { ...rule, sipDispatchRuleId: `SDR_${Math.random()}` });
    },
    'SIP/DeleteSIPDispatchRule': ({ sipDispatchRuleId }) => {
      const at = rules.findIndex((rule) => rule['sipDispatchRuleId'] === sipDispatchRuleId);
      return at < 0 ? absent : (rules.splice(at, 1)[0] as Row);
    },
    'SIP/CreateSIPParticipant': (body) => {
      const refusal = refused.get(body['sipCallTo']);
      if (refusal) return refusal;
      const { roomName: room, participantIdentity: identity, participantName: name } = body;
      const attributes = { ...body['participantAttributes'], 'sip.callID': 'SCL_1', 'sip.callStatus': 'dialing' };
      phones.set(`${room}/${identity}`, { room, identity, name, attributes, request: body });
      return { participantId: 'PA_1', participantIdentity: identity, roomName: room, sipCallId: 'SCL_1' };
    },
    'RoomService/GetParticipant': (body) => {
      const phone = find(body);
      return phone ? show(phone) : absent;
    },
    'RoomService/RemoveParticipant': ({ room, identity }) => (phones.delete(`${room}/${identity}`) ? {} : absent),
    'RoomService/UpdateParticipant': (body) => {
      const phone = find(body);
      if (!phone) return absent;
      Object.assign(phone.attributes, body['attributes']);
      if (body['name']) phone.name = body['name'];
      return show(phone);
    },
  };

  const server = createServer((request, response) => {
    const respond = async () => {
      const { status, body } = await answer(request);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    void respond();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const method = (request.url ?? '').replace('/twirp/livekit.', '');
    requests.push(method);
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    await new TokenVerifier(livekit_key.api_key, livekit_key.api_secret).verify(token);
    const answered = methods[method]?.((await json(request)) as Row) ?? { status: 404, body: { code: 'bad_route' } };
    return 'status' in answered && 'body' in answered ? (answered as Refusal) : { status: 200, body: answered };
  }

  /** The media server's event about a phone, as the media port reads it. */
  const eventOf = ({ room, identity, attributes }: Phone, kind: MediaEvent['kind'], reason?: string): MediaEvent => ({
    id: 'EV_1',
    kind,
    room,
    identity: attributes['asterism.identity'] ?? identity,
    at: new Date(0),
    attributes: { ...attributes, 'sip.identity': identity },
    ...(reason ? { reason } : {}),
  });

  return {
    api_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trunks,
    inbound,
    rules,
    phones,
    requests: requests,
    eventOf: eventOf,
    /** Adds a phone that a rule has admitted, under the name that LiveKit gives it. */
    dialIn(rule: Row): Phone {
      const [room, identity] = [rule['rule'].dispatchRuleDirect.roomName as string, 'sip_8f3a'];
      const attributes = { ...rule['attributes'], 'sip.callID': 'SCL_2', 'sip.callStatus': 'active' };
      const phone = { room, identity, name: 'Phone', attributes, request: {} };
      phones.set(`${room}/${identity}`, phone);
      return phone;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function add(rows: Row[], row: Row): Row {
  rows.push(row);
  return row;
}
