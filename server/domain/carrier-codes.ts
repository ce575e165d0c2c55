/** What carriers say of a phone, each code as one state of ours: the one place where the words of a carrier are read. */
import type { LegState } from './conferences.ts';

/**
 * By carrier, in its own words. SIP: RFC 3261, section 21; Twilio: the values of `CallStatus`, and `sip:` for the final
 * SIP response where it tells one; LiveKit: the values of `sip.callStatus`; console: the simulator's. A code that does
 * not stand here is a failure.
 */
export const carrier_codes: Readonly<Record<string, LegState>> = {
  'console:ringing': 'ringing',
  'console:answered': 'answered',
  'console:busy': 'busy',
  'console:no_answer': 'no_answer',
  'console:failed': 'failed',
  'console:hung_up': 'hung_up',
  'livekit:dialing': 'ringing',
  'livekit:ringing': 'ringing',
  'livekit:automation': 'answered',
  'livekit:active': 'answered',
  'livekit:hangup': 'hung_up',
  'twilio:queued': 'queued',
  'twilio:initiated': 'queued',
  'twilio:ringing': 'ringing',
  'twilio:in-progress': 'answered',
  'twilio:completed': 'hung_up',
  'twilio:busy': 'busy',
  'twilio:no-answer': 'no_answer',
  'twilio:canceled': 'no_answer',
  'twilio:failed': 'failed',
  'sip:100': 'queued',
  'sip:180': 'ringing',
  'sip:183': 'ringing',
  'sip:200': 'answered',
  'sip:403': 'failed',
  'sip:404': 'failed',
  'sip:408': 'no_answer',
  'sip:410': 'failed',
  'sip:480': 'no_answer',
  'sip:484': 'failed',
  'sip:486': 'busy',
  'sip:487': 'no_answer',
  'sip:488': 'failed',
  'sip:500': 'failed',
  'sip:502': 'failed',
  'sip:503': 'failed',
  'sip:504': 'failed',
  'sip:600': 'busy',
  'sip:603': 'busy',
  'sip:604': 'failed',
  'service:unreachable': 'failed',
  'service:lost': 'failed',
  'service:hung_up': 'hung_up',
};

/** The state that a carrier's code means. */
export const legStateOf = (code: string): LegState => carrier_codes[code] ?? 'failed';

const order: readonly LegState[] = ['queued', 'ringing', 'answered'];

/** Whether a leg in a state may go on to another: forward only, so that reports which overtake each other do no harm. */
export function mayFollow(now: LegState, next: LegState): boolean {
  if (!order.includes(now)) return false;
  return !order.includes(next) || order.indexOf(next) > order.indexOf(now);
}
