import { describe, expect, it } from 'vitest';
import { livekit_codes } from '../../../engines/telephony/livekit.ts';
import { twilio_codes } from '../../../engines/telephony/twilio.ts';
import { carrier_codes, legStateOf, mayTransition } from './carrier-codes.ts';

const states = ['queued', 'ringing', 'answered', 'busy', 'no_answer', 'failed', 'hung_up'] as const;

describe('carrier codes', () => {
  it('have the form carrier:code, and each maps to one state', () => {
    for (const [code, state] of Object.entries(carrier_codes)) {
      expect(code).toMatch(/^(console|livekit|twilio|sip|service):[a-z0-9_-]+$/);
      expect(states).toContain(state);
      expect(legStateOf(code)).toBe(state);
    }
  });

  it('are exactly those that the adapters report', () => {
    const of = (carrier: string) => Object.keys(carrier_codes).filter((code) => code.startsWith(`${carrier}:`));
    expect(of('twilio').toSorted()).toEqual(twilio_codes.toSorted());
    expect(of('livekit').toSorted()).toEqual(livekit_codes.toSorted());
  });

  it('map every final response of RFC 3261 to a final state', () => {
    const named = Object.keys(carrier_codes).filter((code) => /^sip:[3-6]/.test(code));
    expect(named.length).toBeGreaterThan(45);
    for (const code of named) expect(['busy', 'no_answer', 'failed']).toContain(legStateOf(code));
    expect([legStateOf('sip:499'), legStateOf('nobody:knows')]).toEqual(['failed', 'failed']);
  });

  it('only lead to later states, and never change a final state', () => {
    for (const now of states)
      for (const next of states) {
        const rank = (state: string) => ['queued', 'ringing', 'answered'].indexOf(state);
        const is_over = rank(now) < 0;
        const forward = rank(next) < 0 || rank(next) > rank(now);
        expect([now, next, mayTransition(now, next)]).toEqual([now, next, !is_over && forward]);
      }
  });
});
