import { describe, expect, it } from 'vitest';
import { livekit_codes } from '../../../engines/telephony/livekit.ts';
import { twilio_codes } from '../../../engines/telephony/twilio.ts';
import { carrier_codes, legStateOf, mayFollow } from './carrier-codes.ts';

const states = ['queued', 'ringing', 'answered', 'busy', 'no_answer', 'failed', 'hung_up'] as const;

describe('the codes of carriers', () => {
  it('are written as carrier and word, and each is one state', () => {
    for (const [code, state] of Object.entries(carrier_codes)) {
      expect(code).toMatch(/^(console|livekit|twilio|sip|service):[a-z0-9_-]+$/);
      expect(states).toContain(state);
      expect(legStateOf(code)).toBe(state);
    }
  });

  it('are those that the adapters say, and no others', () => {
    const of = (carrier: string) => Object.keys(carrier_codes).filter((code) => code.startsWith(`${carrier}:`));
    expect(of('twilio').toSorted()).toEqual(twilio_codes.toSorted());
    expect(of('livekit').toSorted()).toEqual(livekit_codes.toSorted());
  });

  it('have a state for every final response of RFC 3261, and none of them goes on', () => {
    const named = Object.keys(carrier_codes).filter((code) => /^sip:[3-6]/.test(code));
    expect(named.length).toBeGreaterThan(45);
    for (const code of named) expect(['busy', 'no_answer', 'failed']).toContain(legStateOf(code));
    expect([legStateOf('sip:499'), legStateOf('nobody:knows')]).toEqual(['failed', 'failed']);
  });

  it('lead forward only: what is over stays what it was', () => {
    for (const now of states)
      for (const next of states) {
        const rank = (state: string) => ['queued', 'ringing', 'answered'].indexOf(state);
        const is_over = rank(now) < 0;
        const forward = rank(next) < 0 || rank(next) > rank(now);
        expect([now, next, mayFollow(now, next)]).toEqual([now, next, !is_over && forward]);
      }
  });
});
