import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legStateOf } from '../../domain/calls/phones/carrier-codes.ts';
import { testTelephony } from '../../testing/contracts/telephony.contract.ts';
import { createFakePhoneParticipants } from '../../testing/providers/fake-phone-participants.ts';
import { startTwilioVoice, twilio_account, type SignedRequest } from '../../testing/providers/twilio-voice.ts';
import type { DialIn, PhoneSocket, SimulatedState } from '../ports.ts';
import { decodeMulaw, encodeMulaw } from './twilio.mulaw.ts';
import { createStreamTokens } from './twilio.stream-tokens.ts';
import { signTwilio } from '../twilio-signature.ts';
import { createTwilioTelephony } from './twilio.ts';

const public_url = 'https://asterism.test';
const from = '+15005550006';
const nobody = () => Promise.resolve(undefined);
const call_statuses: Record<SimulatedState, string> = {
  ringing: 'ringing',
  answered: 'in-progress',
  busy: 'busy',
  no_answer: 'no-answer',
  failed: 'failed',
  hung_up: 'completed',
};

async function open() {
  const twilio = await startTwilioVoice();
  const { phone_participants, joined } = createFakePhoneParticipants();
  const options = {
    ...twilio_account,
    from,
    public_url,
    phone_participants,
    base_url: twilio.base_url,
    timeout_ms: 10_000,
  };
  return { twilio, joined, telephony: createTwilioTelephony({ ...options, dial_in_number: from }) };
}

describe('Twilio telephony', () => {
  testTelephony(async () => {
    const { twilio, telephony } = await open();
    const legOf = (leg_id: string) =>
      [...twilio.calls.values()].findLast(({ form }) => form.get('StatusCallback')?.endsWith(`leg=${leg_id}`));
    return {
      telephony,
      async play(leg_id, state) {
        const call = legOf(leg_id);
        if (!call) throw new Error('Twilio has received no call');
        return (await telephony.receive(twilio.signStatus(call, call_statuses[state]), nobody))?.report;
      },
      isUp: (leg_id) => ['queued', 'ringing', 'in-progress'].includes(legOf(leg_id)?.status ?? ''),
      close: () => twilio.close(),
    };
  }, '+15005550001');

  describe('with the Twilio API', () => {
    let world: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      world = await open();
    });
    afterAll(() => world.twilio.close());
    const leg = { leg_id: 'leg_1', room: 'conf_1', identity: 'part_1', name: 'Gran', ring_s: 45, max_duration_s: 900 };
    const dial = (to = '+493012345678') => world.telephony.dial({ ...leg, to });

    it('requests a call with time limits, status callbacks and a media stream', async () => {
      const { twilio } = world;
      expect(await dial()).toEqual({ carrier_id: twilio.last().sid });
      expect(twilio.requests.at(-1)).toBe('POST /2010-04-01/Accounts/AC1/Calls.json');
      const { form } = twilio.last();
      const { Twiml, ...rest } = Object.fromEntries(form);
      expect(rest).toEqual({
        To: '+493012345678',
        From: from,
        Timeout: '45',
        TimeLimit: '900',
        StatusCallback: `${public_url}/v1/telephony/webhook?leg=leg_1`,
        StatusCallbackEvent: 'completed',
      });
      expect(form.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed']);
      expect(Twiml).toMatch(
        /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Connect><Stream url="wss:\/\/asterism\.test\/v1\/telephony\/stream"><Parameter name="token" value="[\w.-]+"\/><\/Stream><\/Connect><\/Response>$/,
      );
    });

    it('reports a refused dial by its error code or as refused, and rejects when Twilio is unavailable', async () => {
      expect(await dial('+15005550001')).toEqual({ refused: 'twilio:21211' });
      expect(await dial('+15005550004')).toEqual({ refused: 'twilio:refused' });
      expect(legStateOf('twilio:refused')).toBe('failed');
      await expect(dial('+15005550005')).rejects.toThrow('Twilio answered 503, code none');
    });

    it('reports why a call failed by its SIP response, and the cost of a call', async () => {
      const { twilio, telephony } = world;
      await dial();
      const call = twilio.last();
      const receiveStatus = (status: string, more = {}) =>
        telephony.receive(twilio.signStatus(call, status, more), nobody);
      expect((await receiveStatus('failed', { SipResponseCode: '404' }))?.report?.code).toBe('sip:404');
      expect((await receiveStatus('failed', { SipResponseCode: '603' }))?.report?.code).toBe('sip:603');
      expect((await receiveStatus('busy', { SipResponseCode: '486' }))?.report?.code).toBe('twilio:busy');
      expect(await receiveStatus('dreaming')).toEqual({ answer: { content_type: 'text/plain', body: '' } });
      Object.assign(call, { status: 'completed', price: '-0.0085' });
      expect(await telephony.fetchLegState('leg_1', call.sid)).toEqual({
        leg_id: 'leg_1',
        code: 'twilio:completed',
        cost_micros: 8_500,
      });
      expect(await telephony.fetchLegState('leg_1', 'CA404')).toBeUndefined();
      const stranger = createTwilioTelephony({
        ...twilio_account,
        auth_token: 'another',
        from,
        public_url,
        phone_participants: createFakePhoneParticipants().phone_participants,
        base_url: twilio.base_url,
      });
      await expect(stranger.fetchLegState('leg_1', call.sid)).rejects.toThrow('Twilio answered 401, code 20003');
      await expect(stranger.hangUp('leg_1', call.sid)).rejects.toThrow('Twilio answered 401, code 20003');
    });

    it('verifies signatures as in Twilio’s example, and rejects altered requests', async () => {
      // The example of https://www.twilio.com/docs/usage/security#validating-requests.
      const form = new URLSearchParams({
        CallSid: 'CA1234567890ABCDE',
        Caller: '+14158675310',
        Digits: '1234',
        From: '+14158675310',
        To: '+18005551212',
      });
      expect(signTwilio('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', form)).toBe(
        'GvWf1cFY/Q7PnoempGyD5oXAezc=',
      );
      const { twilio, telephony } = world;
      await dial();
      const valid = twilio.signStatus(twilio.last(), 'busy');
      const altered: SignedRequest[] = [
        { ...valid, url: valid.url.replace('leg_1', 'leg_2') },
        { ...valid, raw_body: valid.raw_body.replace('busy', 'completed') },
        { ...valid, raw_body: `${valid.raw_body}&More=1` },
        { ...valid, headers: { 'x-twilio-signature': '' } },
      ];
      expect(await telephony.receive(valid, nobody)).toBeDefined();
      for (const altered_request of altered) expect(await telephony.receive(altered_request, nobody)).toBeUndefined();
    });

    it('prompts a phone that dials in for the digits up to three times, and admits it with valid ones', async () => {
      const { twilio, telephony } = world;
      const call = twilio.dialIn();
      const dial_ins: DialIn[] = [];
      const admit = async (dial_in: DialIn) => {
        dial_ins.push(dial_in);
        return dial_in.pin === '12345678' ? { ...leg, leg_id: 'leg_9' } : undefined;
      };
      const hook = `${public_url}/v1/telephony/webhook`;
      const send = async (url: string, form: Record<string, string>) =>
        (await telephony.receive(twilio.sign(url, { CallSid: call.sid, From: '+4930555001', ...form }), admit))?.answer
          .body ?? '';
      const actionOf = (body: string) => /action="([^"]+)"/.exec(body)?.[1] ?? '';
      let body = await send(hook, { CallStatus: 'ringing' });
      expect(body).toContain('numDigits="8"');
      for (const attempt of [1, 2]) {
        expect(actionOf(body)).toBe(`${hook}?attempt=${attempt}`);
        body = await send(actionOf(body), { Digits: '00000000' });
      }
      expect(await send(actionOf(body), { Digits: '00000000' })).toContain('<Say>Goodbye.</Say><Hangup/>');
      body = await send(actionOf(body), { Digits: '12345678' });
      expect(body).toContain('<Connect><Stream');
      expect(Object.fromEntries(call.form)).toEqual({ StatusCallback: `${hook}?leg=leg_9`, TimeLimit: '900' });
      await send(hook, { Digits: '1', From: 'anonymous' });
      expect(dial_ins.at(-2)).toEqual({ from: '+4930555001', pin: '12345678', carrier_id: call.sid });
      expect(dial_ins.at(-1)?.from).toBe(call.sid);
    });

    /** A media stream connection whose other end is the test. */
    function openConnection() {
      const sent: { event: string; media: { payload: string } }[] = [];
      const connection = { closed: false, take: (_text: string) => undefined as void, over: () => undefined as void };
      const phone_socket: PhoneSocket = {
        send: (text) => void sent.push(JSON.parse(text)),
        close() {
          connection.closed = true;
          connection.over();
        },
        onText: (take) => void (connection.take = take),
        onClose: (act) => void (connection.over = act),
      };
      world.telephony.acceptAudio?.(phone_socket);
      return { connection, sent, sendMessage: (message: object) => connection.take(JSON.stringify(message)) };
    }
    const start = (token: string) => ({ event: 'start', streamSid: 'MZ1', start: { customParameters: { token } } });
    const tokens = createStreamTokens(twilio_account.auth_token);

    it('transmits the audio of a stream both ways, and its DTMF digits', async () => {
      const before = world.joined.length;
      const { connection, sent, sendMessage } = openConnection();
      sendMessage(start(tokens.issue(leg, 60)));
      await expect.poll(() => world.joined.length).toBe(before + 1);
      const phone = world.joined.at(-1)!;
      expect(phone.options).toMatchObject({ room: 'conf_1', identity: 'part_1', name: 'Gran' });
      const audio = encodeMulaw(Int16Array.from({ length: 240 }, (_, at) => 100 * at));
      sendMessage({ event: 'media', media: { payload: audio.subarray(0, 100).toString('base64') } });
      expect(phone.sent_audio).toEqual([]);
      sendMessage({ event: 'media', media: { payload: audio.subarray(100).toString('base64') } });
      expect(phone.sent_audio).toEqual([decodeMulaw(audio.subarray(0, 160))]);
      phone.receive(new Int16Array(160).fill(1_000));
      expect(sent.at(-1)).toMatchObject({ event: 'media', streamSid: 'MZ1' });
      expect(Buffer.from(sent.at(-1)?.media.payload ?? '', 'base64')).toEqual(
        encodeMulaw(new Int16Array(160).fill(1_000)),
      );
      for (const digit of ['5', 'x']) sendMessage({ event: 'dtmf', dtmf: { digit } });
      expect(phone.digits).toEqual(['5']);
      await world.telephony.hangUp('leg_1', null);
      expect([phone.left, connection.closed]).toEqual([true, true]);
    });

    it.each([
      'null',
      '"media"',
      '[]',
      '{"event":"media","media":{"payload":1}}',
      '{"event":"media","media":{"payload":{"slice":1}}}',
      '{"event":"media","media":"AAAA"}',
      '{"event":["media"],"media":{"payload":["AAAA"]}}',
      '{"event":"dtmf","dtmf":{"digit":5}}',
      '{"event":"dtmf","dtmf":null}',
    ])('ignores %s, which is no message of a stream', async (text) => {
      const before = world.joined.length;
      const { connection, sendMessage } = openConnection();
      // Before and after it is known which phone it is.
      connection.take(text);
      sendMessage(start(tokens.issue(leg, 60)));
      await expect.poll(() => world.joined.length).toBe(before + 1);
      connection.take(text);
      const phone = world.joined.at(-1)!;
      expect([connection.closed, phone.sent_audio, phone.digits]).toEqual([false, [], []]);
      sendMessage({ event: 'stop' });
    });

    it.each(['null', '"now"', '{"customParameters":{"token":["a.b"]}}', '{"customParameters":7}'])(
      'closes a stream that starts with %s',
      async (begun) => {
        const { connection } = openConnection();
        connection.take(`{"event":"start","streamSid":{},"start":${begun}}`);
        await expect.poll(() => connection.closed).toBe(true);
      },
    );

    it('closes a stream without a valid token, and one whose phone hung up', async () => {
      const before = world.joined.length;
      const valid = tokens.issue(leg, 60);
      for (const token of [
        '',
        'a.b',
        `${valid}x`,
        tokens.issue(leg, -1),
        createStreamTokens('another').issue(leg, 60),
      ]) {
        const { connection, sendMessage } = openConnection();
        sendMessage(start(token));
        await expect.poll(() => connection.closed).toBe(true);
      }
      expect(world.joined.length).toBe(before);
      const { connection, sendMessage } = openConnection();
      sendMessage(start(valid));
      sendMessage({ event: 'stop' });
      expect(connection.closed).toBe(true);
      await expect.poll(() => world.joined.at(-1)?.left).toBe(true);
      const other = openConnection();
      other.sendMessage(start(valid));
      await expect.poll(() => world.joined.length).toBe(before + 2);
      world.joined.at(-1)?.end();
      expect(other.connection.closed).toBe(true);
      other.connection.take('no JSON');
    });
  });

  it('encodes µ-law as in G.711: 14 bits in 8, symmetrical, and all codes distinct', () => {
    expect([...decodeMulaw(Uint8Array.from([0x00, 0x7f, 0x80, 0xff, 0x8f]))]).toEqual([-32_124, 0, 32_124, 0, 16_764]);
    const codes = Uint8Array.from({ length: 256 }, (_, code) => code).filter((code) => code !== 0x7f);
    expect([...encodeMulaw(decodeMulaw(codes))]).toEqual([...codes]);
    for (const sample of [-32_768, -5_000, -33, 0, 7, 1_000, 32_767]) {
      const [back = 0] = decodeMulaw(encodeMulaw(Int16Array.of(sample)));
      expect(Math.abs(back - sample)).toBeLessThanOrEqual(Math.max(8, Math.abs(sample) / 16));
    }
  });
});
