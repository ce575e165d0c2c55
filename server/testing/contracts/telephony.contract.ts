/** What every telephony adapter must do: ring, report each state by a code of the one table, and hang up. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { carrier_codes, legStateOf } from '../../domain/calls/phones/carrier-codes.ts';
import type { LegReport, PhoneLeg, SimulatedState, Telephony } from '../../engines/ports.ts';

/** The other end of an adapter under test. */
export type TelephonyTarget = {
  telephony: Telephony;
  /** Simulates an action of the phone as the carrier would report it. @returns the report of the adapter */
  play(leg_id: string, state: SimulatedState): Promise<LegReport | undefined>;
  /** Whether the carrier still has the leg. */
  isUp(leg_id: string): boolean;
  close(): Promise<void>;
};

const leg = (leg_id: string, to = '+493012345678'): PhoneLeg => ({
  leg_id,
  to,
  room: 'conf_1',
  identity: `part_${leg_id}`,
  name: 'Gran',
  ring_s: 45,
  max_duration_s: 900,
});

/**
 * Declares the suite's tests. @param refused_number a number that the carrier rejects; omitted where it rejects none
 */
export function testTelephony(open: () => Promise<TelephonyTarget>, refused_number?: string): void {
  let target: TelephonyTarget;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(async () => {
    await target.telephony.close();
    await target.close();
  });

  async function dial(leg_id: string): Promise<string> {
    const answer = await target.telephony.dial(leg(leg_id));
    if ('refused' in answer) throw new Error(`refused: ${answer.refused}`);
    return answer.carrier_id;
  }

  it.each([
    ['ringing', ['ringing']],
    ['answered', ['ringing', 'answered']],
    ['busy', ['ringing', 'busy']],
    ['no_answer', ['ringing', 'no_answer']],
    ['failed', ['failed']],
    ['hung_up', ['ringing', 'answered', 'hung_up']],
  ] as const)('reports a phone that is %s by a code of the table', async (last, states) => {
    await dial(`leg_${last}`);
    for (const state of states) {
      const report = await target.play(`leg_${last}`, state);
      expect(report?.leg_id).toBe(`leg_${last}`);
      expect(Object.keys(carrier_codes)).toContain(report?.code);
      expect(legStateOf(report?.code ?? '')).toBe(state);
    }
  });

  it('hangs up while ringing and while answered, again after that, and for an unknown leg', async () => {
    for (const states of [['ringing'], ['ringing', 'answered']] as const) {
      const leg_id = `leg_over_${states.length}`;
      const carrier_id = await dial(leg_id);
      for (const state of states) await target.play(leg_id, state);
      expect(target.isUp(leg_id)).toBe(true);
      await target.telephony.hangUp(leg_id, carrier_id);
      expect(target.isUp(leg_id)).toBe(false);
      await target.telephony.hangUp(leg_id, carrier_id);
    }
    await target.telephony.hangUp('leg_unknown', null);
  });

  it('finds no unknown leg, and rejects a request without its signature', async () => {
    expect(await target.telephony.fetchLegState('leg_unknown', null)).toBeUndefined();
    const request = {
      url: 'http://asterism.test/v1/telephony/webhook?leg=leg_1',
      headers: {},
      raw_body: 'CallStatus=busy',
    };
    expect(await target.telephony.receive(request, () => Promise.resolve(undefined))).toBeUndefined();
  });

  if (refused_number === undefined) return;
  it('reports a rejected number by a code of the table', async () => {
    const { refused } = (await target.telephony.dial(leg('leg_refused', refused_number))) as { refused: string };
    expect(Object.keys(carrier_codes)).toContain(refused);
    expect(legStateOf(refused)).toBe('failed');
  });
}
