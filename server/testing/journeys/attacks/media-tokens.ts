/** What a participant may do with a media token: join one call under one identity, as the service signed it, and nothing else. */
import { JoinRequest, SignalResponse, UpdateParticipantMetadata, WrappedJoinRequest } from '@livekit/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RoomListener } from '../../../../sfu/clients/recorder/room-listener.ts';
import { signToken } from '../../../../sfu/token.ts';
import { requestAs, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service, type ServiceOptions } from '../../running/running-service.ts';

type Grant = { url: string; token: string };
type Call = { join_code: string; conference_id: string };

const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token with other claims or another header, and the signature of the original. */
function alter(token: string, changes: object, header_changes: object = {}): string {
  const [header, claims, signature] = token.split('.');
  return [encode({ ...decode(header), ...header_changes }), encode({ ...decode(claims), ...changes }), signature].join(
    '.',
  );
}

/** A join request as clients send it in one parameter, with whom it claims to be. */
function claimingRequest(attributes: Record<string, string>): string {
  const request = new JoinRequest({ metadata: 'the host', participantAttributes: attributes });
  const wrapped = new WrappedJoinRequest({ joinRequest: request.toBinary() });
  return Buffer.from(wrapped.toBinary()).toString('base64url');
}

/** As whom and where a client joins with a token and further parameters; undefined when it is refused. */
async function join({ url, token }: Grant, parameters: Record<string, string> = {}) {
  const address = new URL('/rtc', url);
  for (const [name, value] of Object.entries({ access_token: token, protocol: '15', sdk: 'js', ...parameters }))
    address.searchParams.set(name, value);
  const socket = new WebSocket(address);
  try {
    return await new Promise<object | undefined>((resolve) => {
      socket.once('error', () => resolve(undefined));
      socket.once('close', () => resolve(undefined));
      socket.on('message', (data: Buffer) => {
        const { message } = SignalResponse.fromBinary(data);
        if (message.case !== 'join') return;
        const { identity, metadata, attributes } = message.value.participant ?? {};
        resolve({ room: message.value.room?.name, identity, metadata, attributes });
      });
    });
  } finally {
    socket.terminate();
  }
}

/** Declares the journey's tests. @param options choose the media server @param api_url its address for the service, if clients have another */
export function testMediaTokens(options: ServiceOptions, api_url?: string): void {
  let service: Service;
  let host: RunningPerson;
  let guest: RunningPerson;
  let call: Call;
  let grant: Grant;
  const http_url = () => grant.url.replace(/^ws/, 'http');
  beforeAll(async () => {
    service = await startService(options);
    host = await signUp(service, 'ada', '+14155550101');
    guest = await signUp(service, 'eve', '+14155550102');
    call = await requestAs(service, host, 'POST /calls', { to: [{ user_id: guest.id }] });
    await requestAs(service, host, `POST /calls/${call.join_code}/sfu-grant`, {});
    grant = await requestAs(service, guest, `POST /calls/${call.join_code}/sfu-grant`, {});
  });
  afterAll(() => service.close());

  describe('a client joins as its token names it', () => {
    const as_named = () => ({ room: call.conference_id, identity: guest.id, metadata: '', attributes: {} });
    const claims = { 'asterism.identity': 'somebody', 'sip.callID': 'SCL_1' };
    it.each([
      ['a second identity', { publish: 'again' }],
      ['attributes', { attributes: Buffer.from(JSON.stringify(claims)).toString('base64') }],
      ['metadata, a name and an identity', { metadata: 'the host', name: 'Ada', identity: 'somebody' }],
      ['another room', { room: 'conf_another' }],
    ])('although its address asks for %s', async (_what, parameters) => {
      expect(await join(grant, parameters)).toEqual(as_named());
    });

    it('or not at all, if its request claims more', async () => {
      expect([undefined, as_named()]).toContainEqual(await join(grant, { join_request: claimingRequest(claims) }));
    });

    it('whatever a guest calls themselves', async () => {
      await requestAs(service, host, 'PATCH /calls/active', { guests: 'open' });
      const names = [guest.id, 'recorder', 'sip_1', 'admission'];
      for (const name of names) {
        const { status, body } = await service.call(`POST /calls/${call.join_code}/guests`, { body: { name } });
        expect(status).toBe(201);
        const { token } = await requestAs(service, body, `POST /calls/${call.join_code}/sfu-grant`, {});
        expect(decode(token.split('.')[1])['sub']).toMatch(/^part_/);
      }
    });
  });

  it('a token is valid only as the service has signed it', async () => {
    const validate = async (token: string) => (await fetch(`${http_url()}/rtc/validate?access_token=${token}`)).status;
    const claims = decode(grant.token.split('.')[1]);
    const video = { ...(claims['video'] as object), room: 'conf_another' };
    const altered = {
      'another identity': alter(grant.token, { sub: host.id }),
      'another room': alter(grant.token, { video }),
      'the rights of an administrator': alter(grant.token, {
        video: { ...(claims['video'] as object), roomAdmin: true },
      }),
      'another expiry': alter(grant.token, { exp: 4_000_000_000 }),
      'no holder': alter(grant.token, { jti: undefined }),
      'another key': alter(grant.token, {}, { kid: 'another' }),
      'no algorithm': `${encode({ alg: 'none' })}.${encode(claims)}.`,
      'no algorithm, and a signature': alter(grant.token, {}, { alg: 'none' }),
      'a secret of somebody else': signToken(claims, 'a secret of at least thirty-two bytes'),
      'an empty secret': signToken(claims, ''),
    };
    const answers = await Promise.all(
      Object.entries(altered).map(async ([what, token]) => [
        what,
        await validate(token),
        await join({ ...grant, token }),
      ]),
    );
    expect(answers).toEqual(Object.keys(altered).map((what) => [what, 401, undefined]));
    expect(await validate(grant.token)).toBe(200);
  });

  it('a token of a participant gives no access to the interfaces of the media server and of the service', async () => {
    const methods = ['CreateRoom', 'ListRooms', 'DeleteRoom', 'ListParticipants', 'GetParticipant', 'RemoveParticipant']
      .concat(['MutePublishedTrack', 'UpdateParticipant', 'UpdateSubscriptions', 'SendData', 'UpdateRoomMetadata'])
      .concat(['ForwardParticipant', 'MoveParticipant'])
      .map((method) => `/twirp/livekit.RoomService/${method}`);
    const others = ['Egress/ListEgress', 'Ingress/ListIngress', 'SIP/ListSIPOutboundTrunk', 'SIP/CreateSIPParticipant'];
    const paths = [...methods, ...others.map((path) => `/twirp/livekit.${path}`)];
    const ask = async (url: string, body: object, content_type = 'application/json') => {
      const headers = { authorization: `Bearer ${grant.token}`, 'content-type': content_type };
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    const target = { room: call.conference_id, identity: host.id, name: call.conference_id };
    const requests = [http_url(), ...(api_url ? [api_url] : [])].flatMap((base) => paths.map((path) => base + path));
    const answers = await Promise.all(requests.map(async (url) => [url, await ask(url, target)] as const));
    expect(answers.filter(([, status]) => ![401, 403, 404].includes(status))).toEqual([]);
    if (api_url) expect((await fetch(`${api_url}/rtc/validate?access_token=${grant.token}`)).status).toBe(401);
    expect(await ask(`${service.url}/v1/media/admission`, { token: grant.token })).toBe(403);
    const event = { event: 'participant_left', room: { name: call.conference_id }, participant: { identity: host.id } };
    expect(await ask(`${service.url}/v1/media/webhook`, event, 'application/webhook+json')).toBe(401);
  });

  it('a participant cannot change their name, metadata and attributes in the room', async () => {
    let refusal: string | undefined;
    const none = { onTracks: () => undefined, onPacket: () => undefined, onSpeaking: () => undefined };
    const listener = await RoomListener.join(grant.url, grant.token, {
      ...none,
      onEnd: () => undefined,
      onOther(message) {
        if (message.case === 'requestResponse') refusal = message.value.message;
      },
    });
    const value = { requestId: 7, name: 'Ada', metadata: 'the host', attributes: { 'asterism.identity': host.id } };
    listener.request({ case: 'updateMetadata', value: new UpdateParticipantMetadata(value) });
    await poll(async () => refusal !== undefined, 'the refusal');
    listener.leave();
    expect(refusal).toMatch(/not.?allowed|permission/i);
  });
}
