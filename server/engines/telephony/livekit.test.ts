import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testTelephony } from '../../testing/contracts/telephony.contract.ts';
import { livekit_key, startLiveKitSip } from '../../testing/providers/livekit-sip.ts';
import type { DialIn, SimulatedState } from '../ports.ts';
import { createLiveKitTelephony } from './livekit.ts';

const nobody = () => Promise.resolve(undefined);
const number = '+15005550006';

async function open(dial_in_number?: string) {
  const livekit = await startLiveKitSip();
  const options = { api_url: livekit.api_url, ...livekit_key, dial_in_number };
  return { livekit, options, telephony: await createLiveKitTelephony({ ...options, trunk: { id: 'ST_given' } }) };
}

describe('LiveKit telephony', () => {
  testTelephony(async () => {
    const { livekit, telephony } = await open();
    const phoneOf = (leg_id: string) => livekit.phones.get(`conf_1/part_${leg_id}`);
    /** Removes the phone from the room with a reason, and passes the event to the adapter. */
    const removePhone = async (leg_id: string, reason: string) => {
      const phone = phoneOf(leg_id);
      if (!phone) throw new Error('it is not in the room');
      livekit.phones.delete(`conf_1/part_${leg_id}`);
      return telephony.handleMediaEvent?.(livekit.eventOf(phone, 'participant_left', reason), nobody);
    };
    const reasons: Partial<Record<SimulatedState, string>> = {
      busy: 'user_rejected',
      no_answer: 'user_unavailable',
      failed: 'sip_trunk_failure',
      hung_up: 'client_initiated',
    };
    return {
      telephony,
      async play(leg_id, state) {
        const reason = reasons[state];
        if (reason) return removePhone(leg_id, reason);
        const phone = phoneOf(leg_id);
        if (phone) phone.attributes['sip.callStatus'] = state === 'answered' ? 'active' : 'ringing';
        return telephony.fetchLegState(leg_id, `conf_1/part_${leg_id}`);
      },
      isUp: (leg_id) => phoneOf(leg_id) !== undefined,
      close: () => livekit.close(),
    };
  }, '+15005550001');

  describe('with the LiveKit API', () => {
    let world: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      world = await open(number);
    });
    afterAll(() => world.livekit.close());
    const leg = { leg_id: 'leg_1', room: 'conf_1', identity: 'part_1', name: 'Gran', ring_s: 45, max_duration_s: 900 };
    const dial = (to = '+493012345678') => world.telephony.dial({ ...leg, to });

    it('requests a SIP participant with time limits, the given identity and a hidden number', async () => {
      expect(await dial()).toEqual({ carrier_id: 'conf_1/part_1' });
      expect(world.livekit.phones.get('conf_1/part_1')?.request).toEqual({
        sipTrunkId: 'ST_given',
        sipCallTo: '+493012345678',
        roomName: 'conf_1',
        participantIdentity: 'part_1',
        participantName: 'Gran',
        participantAttributes: { 'asterism.leg': 'leg_1' },
        hidePhoneNumber: true,
        ringingTimeout: '45s',
        maxCallDuration: '900s',
      });
    });

    it('reports a refused dial by SIP response or error code, without a retry', async () => {
      const { livekit, telephony } = world;
      expect(await dial('+15005550002')).toEqual({ refused: 'sip:486' });
      expect(await dial('+15005550003')).toEqual({ refused: 'livekit:refused' });
      const before = livekit.requests.length;
      expect(await dial('+15005550001')).toEqual({ refused: 'livekit:unavailable' });
      expect(livekit.requests.slice(before)).toEqual(['SIP/CreateSIPParticipant']);
      await livekit.close();
      await expect(dial()).rejects.toThrow();
      // Telephony is created even so, for when LiveKit is available again.
      const early = await createLiveKitTelephony({
        ...world.options,
        trunk: { address: 'sip.example.org', numbers: [number] },
      });
      await expect(early.dial({ ...leg, to: '+493012345678' })).rejects.toThrow();
      await expect(telephony.fetchLegState('leg_1', 'conf_1/part_1')).rejects.toThrow();
      world = await open(number);
    });

    it('maps events of the media server to codes, and ignores others', async () => {
      const { livekit, telephony } = world;
      await dial();
      const phone = livekit.phones.get('conf_1/part_1')!;
      const receiveEvent = (kind: Parameters<typeof livekit.eventOf>[1], reason?: string) =>
        telephony.handleMediaEvent?.(livekit.eventOf(phone, kind, reason), nobody);
      expect(await receiveEvent('participant_joined')).toEqual({ leg_id: 'leg_1', code: 'livekit:dialing' });
      expect(await receiveEvent('participant_left', 'room_deleted')).toEqual({
        leg_id: 'leg_1',
        code: 'livekit:hangup',
      });
      expect(await receiveEvent('participant_left', 'migration')).toBeUndefined();
      phone.attributes['sip.callStatus'] = 'dreaming';
      expect(await receiveEvent('participant_joined')).toEqual({ leg_id: 'leg_1', code: 'livekit:dialing' });
      const { attributes: _, ...person } = livekit.eventOf(phone, 'participant_left');
      expect(await telephony.handleMediaEvent?.(person, nobody)).toBeUndefined();
    });

    it('creates a dispatch rule per room, assigns the identity to admitted phones, and removes the rule', async () => {
      const { livekit, telephony } = world;
      for (let times = 0; times < 2; times++) await telephony.dial_in_route?.open('conf_2', '12345678');
      await telephony.dial_in_route?.open('conf_3', '87654321');
      expect(livekit.rules).toHaveLength(2);
      expect(livekit.rules[0]).toMatchObject({
        rule: { dispatchRuleDirect: { roomName: 'conf_2', pin: '12345678' } },
        trunkIds: ['ST_in_0'],
        hidePhoneNumber: true,
        name: 'conf_2',
      });
      const phone = livekit.dialIn(livekit.rules[0]!);
      const dial_ins: DialIn[] = [];
      const admit = async (dial_in: DialIn) => {
        dial_ins.push(dial_in);
        return { ...leg, leg_id: 'leg_2', room: 'conf_2', identity: 'part_2' };
      };
      const event = livekit.eventOf(phone, 'participant_joined');
      for (let times = 0; times < 2; times++) await telephony.handleMediaEvent?.(event, admit);
      expect(dial_ins).toEqual([{ from: 'sip_8f3a', pin: '12345678', carrier_id: 'conf_2/sip_8f3a' }]);
      expect([phone.name, phone.attributes['asterism.identity']]).toEqual(['Gran', 'part_2']);
      const left = await telephony.handleMediaEvent?.(
        livekit.eventOf(phone, 'participant_left', 'client_initiated'),
        admit,
      );
      expect([left, dial_ins.length]).toEqual([{ leg_id: 'leg_2', code: 'livekit:hangup' }, 1]);
      const refused = livekit.dialIn(livekit.rules[0]!);
      await telephony.handleMediaEvent?.(livekit.eventOf(refused, 'participant_joined'), nobody);
      expect(livekit.phones.has('conf_2/sip_8f3a')).toBe(false);
      await telephony.dial_in_route?.open('conf_2', '11112222');
      expect(livekit.rules.map(({ rule }) => rule.dispatchRuleDirect.pin)).toEqual(['87654321', '11112222']);
      await telephony.dial_in_route?.close('conf_2');
      await telephony.dial_in_route?.close('conf_2');
      expect(livekit.rules.map(({ name }) => name)).toEqual(['conf_3']);
    });

    it('creates its trunks once, and new ones when their configuration changes', async () => {
      const { livekit, options } = world;
      const trunk = { address: 'sip.example.org', numbers: [number], username: 'u', password: 'p' };
      for (let start = 0; start < 2; start++) await createLiveKitTelephony({ ...options, trunk });
      expect([livekit.trunks.length, livekit.inbound.length]).toEqual([1, 1]);
      expect(livekit.trunks[0]).toMatchObject({
        name: 'asterism',
        address: 'sip.example.org',
        numbers: [number],
        authUsername: 'u',
        authPassword: 'p',
      });
      await createLiveKitTelephony({ ...options, trunk: { ...trunk, password: 'q' } });
      expect(livekit.trunks).toHaveLength(2);
      const closed = await createLiveKitTelephony({ ...options, dial_in_number: undefined, trunk });
      expect([closed.dial_in_route, closed.dial_in_number]).toEqual([undefined, undefined]);
    });
  });
});
