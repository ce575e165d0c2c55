/** A mock of Twilio's voice service: its REST interface, its signed webhooks and its media streams. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { signTwilio } from '../../engines/twilio-signature.ts';
import { decodeMulaw, encodeMulaw } from '../../engines/telephony/twilio.mulaw.ts';

/** The account that the mock accepts. */
export const twilio_account = { account_sid: 'AC1', auth_token: 'a-token-of-twilio' };
/** Numbers that it rejects, as Twilio's own test credentials do. */
const twilio_refused = new Map([
  ['+15005550001', { status: 400, code: 21211 }],
  ['+15005550004', { status: 400, code: 99999 }],
  ['+15005550005', { status: 503, code: undefined }],
]);

/** A call as the mock stores it: `form` is the request that created it, and `twiml` its instructions now. */
export type TwilioCall = { sid: string; status: string; price: string | null; form: URLSearchParams; twiml: string };

/** A request as Twilio signs it, to an address of the service. */
export type SignedRequest = { url: string; headers: Record<string, string>; raw_body: string };

/** Starts the mock server. @param reach returns the real address for an address of the service */
export async function startTwilioVoice(reach: (url: string) => string = (url) => url) {
  const calls = new Map<string, TwilioCall>();
  const requests: string[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = answer(request, new URLSearchParams(await text(request)));
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

  function answer({ url = '', method, headers }: IncomingMessage, form: URLSearchParams) {
    requests.push(`${method} ${url}`);
    const basic = `Basic ${btoa(`${twilio_account.account_sid}:${twilio_account.auth_token}`)}`;
    if (headers.authorization !== basic) return { status: 401, body: { code: 20003, status: 401 } };
    const sid = /\/Calls\/(\w+)\.json$/.exec(url)?.[1];
    if (sid === undefined) return create(form);
    const call = calls.get(sid);
    if (!call) return { status: 404, body: { code: 20404, status: 404 } };
    if (method === 'POST') {
      for (const [name, value] of form) call.form.set(name, value);
      const is_over = !['queued', 'ringing', 'in-progress'].includes(call.status);
      if (form.get('Status') === 'completed' && is_over) return { status: 400, body: { code: 21220, status: 400 } };
      if (form.get('Status') === 'completed') call.status = 'completed';
    }
    const { status, price } = call;
    return { status: 200, body: { sid, status, price } };
  }

  function create(form: URLSearchParams) {
    const refused = twilio_refused.get(form.get('To') ?? '');
    if (refused) return { status: refused.status, body: { code: refused.code, message: 'no', status: refused.status } };
    const call = add(form, form.get('Twiml') ?? '');
    return { status: 201, body: { sid: call.sid, status: call.status } };
  }

  function add(form: URLSearchParams, twiml: string): TwilioCall {
    const sid = `CA${String(calls.size + 1).padStart(32, '0')}`;
    const call = { sid, status: 'queued', price: null, form, twiml };
    calls.set(sid, call);
    return call;
  }

  /** A request as Twilio signs it. */
  function sign(url: string, form: Record<string, string>): SignedRequest {
    const parameters = new URLSearchParams(form);
    const signature = signTwilio(twilio_account.auth_token, url, parameters);
    return { url, headers: { 'x-twilio-signature': signature }, raw_body: parameters.toString() };
  }

  /** The request that reports a call's new state. */
  function signStatus(call: TwilioCall, status: string, more: Record<string, string> = {}): SignedRequest {
    call.status = status;
    const url = call.form.get('StatusCallback') ?? '';
    return sign(url, { CallSid: call.sid, CallStatus: status, ...more });
  }

  /** Sends a signed request to its address. */
  async function post({ url, headers, raw_body }: SignedRequest) {
    const response = await fetch(reach(url), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: raw_body,
    });
    return { status: response.status, body: await response.text() };
  }

  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: requests,
    calls,
    /** The newest call. */
    last: () => [...calls.values()].at(-1) as TwilioCall,
    /** Adds a phone that calls the number of the account. */
    dialIn: () => add(new URLSearchParams(), ''),
    sign,
    signStatus: signStatus,
    post,
    openStream: (call: TwilioCall) => openStream(call, reach),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const unescape = (xml: string) => xml.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** Executes `<Connect><Stream>`: opens a websocket with the audio of the phone. */
async function openStream(call: TwilioCall, reach: (url: string) => string) {
  const [, url = '', name = '', value = ''] =
    /<Stream url="([^"]+)"><Parameter name="([^"]+)" value="([^"]+)"\/><\/Stream>/.exec(call.twiml) ?? [];
  const socket = new WebSocket(reach(unescape(url)));
  await once(socket, 'open');
  const received_audio: Int16Array[] = [];
  const closed = once(socket, 'close');
  socket.on('message', (data: Buffer) => {
    const { event, streamSid, media } = JSON.parse(data.toString());
    if (event === 'media' && streamSid === 'MZ1')
      received_audio.push(decodeMulaw(Buffer.from(media.payload, 'base64')));
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ event: 'connected', protocol: 'Call', version: '1.0.0' });
  const customParameters = { [name]: unescape(value) };
  send({ event: 'start', streamSid: 'MZ1', start: { streamSid: 'MZ1', callSid: call.sid, customParameters } });
  return {
    received_audio: received_audio,
    closed,
    speak: (samples: Int16Array) =>
      send({
        event: 'media',
        streamSid: 'MZ1',
        media: { track: 'inbound', payload: encodeMulaw(samples).toString('base64') },
      }),
    type: (digit: string) => send({ event: 'dtmf', streamSid: 'MZ1', dtmf: { track: 'inbound_track', digit } }),
    stop: () => send({ event: 'stop', streamSid: 'MZ1', stop: { callSid: call.sid } }),
    close: () => socket.close(),
  };
}
