/** LiveKit's own server without its SIP service: what it stores, and how it responds when no phone can be rung. */
import { AccessToken, SipClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLiveKit } from '../../../sfu/testing/livekit.ts';
import { signUp } from '../../testing/running/running-people.ts';
import { poll, startService } from '../../testing/running/running-service.ts';
import { carrier_codes } from '../../domain/calls/phones/carrier-codes.ts';
import type { PhoneLeg } from '../ports.ts';
import { PhoneParticipant } from '../../../sfu/clients/phone/phone-participant.ts';
import { createLiveKitMedia } from '../media/livekit.ts';
import { createLiveKitTelephony } from './livekit.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const livekit = findLiveKit();
const leg: PhoneLeg = {
  leg_id: 'leg_1',
  to: '+493012345678',
  room: 'conf_wide',
  identity: 'part_1',
  name: 'Gran',
  ring_s: 45,
  max_duration_s: 900,
};
const numbers = ['+15005550006'];

describeUnlessMissing(livekit ? undefined : 'LIVEKIT_TEST_URL', 'telephony with a real LiveKit server', () => {
  const { url, ...key } = livekit ?? { url: 'http://127.0.0.1:1', api_key: '', api_secret: '' };
  const options = { api_url: url, ...key, dial_in_number: '+15005550007' };
  const trunk = { address: 'sip.example.org', numbers, username: 'u', password: 'p' };
  const sip = new SipClient(url, key.api_key, key.api_secret);
  let telephony: Awaited<ReturnType<typeof createLiveKitTelephony>>;

  async function clear() {
    for (const { sipDispatchRuleId } of await sip.listSipDispatchRule())
      await sip.deleteSipDispatchRule(sipDispatchRuleId);
    for (const { sipTrunkId } of [...(await sip.listSipOutboundTrunk()), ...(await sip.listSipInboundTrunk())])
      await sip.deleteSipTrunk(sipTrunkId);
  }
  beforeAll(async () => {
    await clear();
    telephony = await createLiveKitTelephony({ ...options, trunk });
  });
  afterAll(clear);

  it('creates the trunks once over several starts', async () => {
    await createLiveKitTelephony({ ...options, trunk });
    const outbound = await sip.listSipOutboundTrunk();
    expect(outbound.map(({ name, address, numbers: from }) => ({ name, address, from }))).toEqual([
      { name: 'asterism', address: 'sip.example.org', from: numbers },
    ]);
    expect((await sip.listSipInboundTrunk()).map((inbound_trunk) => inbound_trunk.numbers)).toEqual([['+15005550007']]);
  });

  it('creates a dispatch rule for each call with dial-in, and removes it', async () => {
    await telephony.dial_in_route?.open('conf_one', '12345678');
    await telephony.dial_in_route?.open('conf_two', '87654321');
    const rules = await sip.listSipDispatchRule();
    expect(rules.map(({ name, hidePhoneNumber, attributes }) => ({ name, hidePhoneNumber, attributes }))).toEqual(
      expect.arrayContaining([
        { name: 'conf_one', hidePhoneNumber: true, attributes: { 'asterism.pin': '12345678' } },
        { name: 'conf_two', hidePhoneNumber: true, attributes: { 'asterism.pin': '87654321' } },
      ]),
    );
    await telephony.dial_in_route?.close('conf_one');
    await telephony.dial_in_route?.close('conf_one');
    expect((await sip.listSipDispatchRule()).map(({ name }) => name)).toEqual(['conf_two']);
  });

  it('returns livekit:unavailable for a dial without a SIP service, and no state of the phone', async () => {
    const started_ms = performance.now();
    const answer = await telephony.dial(leg);
    expect(answer).toEqual({ refused: 'livekit:unavailable' });
    expect(carrier_codes['livekit:unavailable']).toBe('failed');
    expect(performance.now() - started_ms).toBeLessThan(10_000);
    expect(await telephony.fetchLegState('leg_1', 'conf_wide/part_1')).toBeUndefined();
    await telephony.hangUp('leg_1', 'conf_wide/part_1');
    const elsewhere = await createLiveKitTelephony({ ...options, trunk: { id: 'ST_unknown' } });
    expect(await elsewhere.dial(leg)).toEqual({ refused: 'livekit:not_found' });
  });

  it('assigns the identity to a phone that dialled in, finds it by that identity, and removes it on hang-up', async () => {
    const room = 'conf_dialled';
    const attributes = { 'sip.callID': 'SCL_1', 'sip.callStatus': 'active', 'asterism.pin': '12345678' };
    const token = new AccessToken(key.api_key, key.api_secret, { identity: 'sip_8f3a', attributes, ttl: 60 });
    token.addGrant({ roomJoin: true, roomCreate: true, room });
    const ended = Promise.withResolvers<void>();
    await PhoneParticipant.join(url, await token.toJwt(), { onFrame: () => undefined, onEnd: () => ended.resolve() });
    const media = await createLiveKitMedia({ api_url: url, client_url: url.replace('http', 'ws'), ...key });
    const admitted = { leg_id: 'leg_2', room, identity: 'part_2', name: 'Phone', max_duration_s: 900 };
    const dial_in_attributes = { 'sip.identity': 'sip_8f3a', ...attributes };
    const event = {
      id: 'EV_1',
      kind: 'participant_joined' as const,
      room,
      at: new Date(0),
      attributes: dial_in_attributes,
    };
    await telephony.handleMediaEvent?.(event, () => Promise.resolve(admitted));
    expect(await media.participants(room)).toEqual(['part_2']);
    const carrier_id = `${room}/sip_8f3a`;
    expect(await telephony.fetchLegState('leg_2', carrier_id)).toEqual({ leg_id: 'leg_2', code: 'livekit:active' });
    await telephony.hangUp('leg_2', carrier_id);
    await ended.promise;
    expect(await telephony.fetchLegState('leg_2', carrier_id)).toBeUndefined();
    await media.closeRoom(room);
  });

  it('keeps the service running without a SIP service, and reports failed legs', async () => {
    const environment = {
      LIVEKIT_URL: url,
      LIVEKIT_API_KEY: key.api_key,
      LIVEKIT_API_SECRET: key.api_secret,
      LIVEKIT_SIP_OUTBOUND_ADDRESS: trunk.address,
      LIVEKIT_SIP_NUMBERS: numbers.join(),
      DIAL_IN_NUMBER: '+15005550007',
    };
    const service = await startService({ environment });
    try {
      const { token } = await signUp(service, 'ada', '+14155550101');
      const { body: call } = await service.call('POST /calls', { token, body: { to: [] } });
      expect(call.dial_in).toMatchObject({ number: '+15005550007' });
      const nameOfRules = async () => (await sip.listSipDispatchRule()).map(({ name }) => name);
      await poll(async () => (await nameOfRules()).includes(call.conference_id), 'the rule of the call');
      await service.call('POST /calls/active/bridge-phone', { token, body: { number: '+493012345678', name: 'Gran' } });
      const seen = await poll(async () => {
        const { body } = await service.call('GET /calls/active', { token });
        const part = body.participants.at(-1);
        return part.state !== 'ringing' && part;
      }, 'the end of the ring');
      expect(seen).toMatchObject({ name: 'Gran', state: 'failed', leg: { state: 'failed' } });
      const legs = (await (await fetch(`${service.url}/console/phone/legs`)).json()) as { items: { code: string }[] };
      expect(legs.items[0]?.code).toBe('livekit:unavailable');
      expect((await service.call('DELETE /calls/active', { token })).status).toBe(204);
      await poll(async () => !(await nameOfRules()).includes(call.conference_id), 'the end of the rule');
    } finally {
      await service.close();
    }
  });
});
