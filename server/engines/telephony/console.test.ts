import { describe, expect, it } from 'vitest';
import { testTelephony } from '../../testing/contracts/telephony.contract.ts';
import { createFakePhoneParticipants } from '../../testing/providers/fake-phone-participants.ts';
import { createOutboxSink } from '../outbox-sink/memory.ts';
import type { SimulatedState } from '../ports.ts';
import { createConsoleTelephony, toneOf } from './console.ts';

const legIn = (leg_id: string) => ({ leg_id, room: 'conf_1', identity: 'part_1', name: 'Gran', max_duration_s: 900 });
const open = () => {
  const outbox_sink = createOutboxSink({ now: () => new Date(0) });
  const { phone_participants, joined } = createFakePhoneParticipants();
  return { outbox_sink, joined, telephony: createConsoleTelephony({ outbox_sink, phone_participants }) };
};

describe('console telephony', () => {
  testTelephony(async () => {
    const { telephony } = open();
    const states = new Map<string, SimulatedState>();
    return {
      telephony: {
        ...telephony,
        async hangUp(leg_id, carrier_id) {
          await telephony.hangUp(leg_id, carrier_id);
          states.delete(leg_id);
        },
      },
      async play(leg_id, state) {
        states.set(leg_id, state);
        await telephony.simulator?.setState(legIn(leg_id), state);
        expect(telephony.simulator?.audioOf(leg_id) !== undefined).toBe(state === 'answered');
        return { leg_id, code: `console:${state}` };
      },
      isUp: (leg_id) => states.has(leg_id),
      close: () => Promise.resolve(),
    };
  });

  it('puts a phone into the room while answered, with its tone, digits and the received level', async () => {
    const { telephony, joined } = open();
    const { simulator } = telephony;
    await simulator?.setState(legIn('leg_1'), 'ringing');
    expect(joined).toEqual([]);
    await simulator?.setState(legIn('leg_1'), 'answered', { digits: '42#' });
    const [phone] = joined as [(typeof joined)[0]];
    expect([phone.options.room, phone.options.identity, phone.digits]).toEqual(['conf_1', 'part_1', ['42#']]);
    await phone.waitForAudio(3);
    expect(phone.sent_audio.every((samples) => samples.length === 160)).toBe(true);
    expect(simulator?.audioOf('leg_1')).toEqual({ tone_hz: toneOf('leg_1'), hears_dbov: null });
    phone.receive(new Int16Array(160).fill(3_277));
    expect(simulator?.audioOf('leg_1')?.hears_dbov).toBe(-20);
    await simulator?.setState(legIn('leg_1'), 'answered', { digits: '1' });
    expect([joined.length, phone.digits]).toEqual([1, ['42#', '1']]);
    await simulator?.setState(legIn('leg_1'), 'hung_up');
    expect([phone.left, simulator?.audioOf('leg_1')]).toEqual([true, undefined]);
    await telephony.close();
  });

  it('takes a phone out of the room when it is removed, hung up while joining, or on close', async () => {
    const { telephony, joined } = open();
    const { simulator } = telephony;
    await simulator?.setState(legIn('leg_1'), 'answered');
    joined[0]?.end();
    expect(simulator?.audioOf('leg_1')).toBeUndefined();
    await Promise.all([simulator?.setState(legIn('leg_2'), 'answered'), telephony.hangUp('leg_2', null)]);
    expect([joined[1]?.left, simulator?.audioOf('leg_2')]).toEqual([true, undefined]);
    await simulator?.setState(legIn('leg_3'), 'answered');
    await telephony.close();
    expect(joined[2]?.left).toBe(true);
  });

  it('rejects when a phone cannot join, and allows another attempt', async () => {
    const { phone_participants } = createFakePhoneParticipants();
    const refusing = { join: () => Promise.reject(new Error('no room')) };
    const telephony = createConsoleTelephony({
      outbox_sink: createOutboxSink({ now: () => new Date(0) }),
      phone_participants: refusing,
    });
    await expect(telephony.simulator?.setState(legIn('leg_1'), 'answered')).rejects.toThrow('no room');
    refusing.join = phone_participants.join as never;
    await telephony.simulator?.setState(legIn('leg_1'), 'answered');
    expect(telephony.simulator?.audioOf('leg_1')).toBeDefined();
    await telephony.close();
  });
});
