/** What every phone network does: it rings, tells each state by a code of the one table, and hangs up. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { carrier_codes, legStateOf } from '../../domain/calls/phones/carrier-codes.ts';
import type { LegReport, PhoneLeg, SimulatedState, Telephony } from '../../engines/ports.ts';

/** The other end of an adapter under test. */
export type TelephonyTarget = {
  telephony: Telephony;
  /** Does what a phone does, in the way in which the carrier tells it; answers what the adapter makes of that. */
  play(leg_id: string, state: SimulatedState): Promise<LegReport | undefined>;
  /** Whether the carrier has the leg still. */
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

/** Declares the suite's tests. @param refused_number a number that the carrier refuses; left out where it refuses none */
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
  ] as const)('tells a phone that is %s, by a code of the table', async (last, states) => {
    await dial(`leg_${last}`);
    for (const state of states) {
      const report = await target.play(`leg_${last}`, state);
      expect(report?.leg_id).toBe(`leg_${last}`);
      expect(Object.keys(carrier_codes)).toContain(report?.code);
      expect(legStateOf(report?.code ?? '')).toBe(state);
    }
  });

  it('hangs up while it rings and while it talks, twice and what it does not know', async () => {
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

  it('knows nothing of a leg that it never had, and takes no request that it did not sign', async () => {
    expect(await target.telephony.look('leg_unknown', null)).toBeUndefined();
    const request = {
      url: 'http://asterism.test/v1/telephony/webhook?leg=leg_1',
      headers: {},
      raw_body: 'CallStatus=busy',
    };
    expect(await target.telephony.receive(request, () => Promise.resolve(undefined))).toBeUndefined();
  });

  if (refused_number === undefined) return;
  it('says by a code of the table that it refuses a number', async () => {
    const { refused } = (await target.telephony.dial(leg('leg_refused', refused_number))) as { refused: string };
    expect(Object.keys(carrier_codes)).toContain(refused);
    expect(legStateOf(refused)).toBe('failed');
  });
}
