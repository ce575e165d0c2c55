/**
 * Carrier codes: maps every code that a carrier reports to one of our leg states. The only place that interprets
 * carrier codes.
 */
import type { LegState } from '../state/calls.ts';

/**
 * Codes by carrier. SIP: RFC 3261, section 21, and RFC 8197 and 8688 for 607 and 608; Twilio: the values of
 * `CallStatus`, the errors of its REST API, and `sip:` for the SIP response with which a call failed; LiveKit: the
 * values of `sip.callStatus`, why a phone left its room, and the errors of Twirp; console: the simulator's. Any other
 * code is a failure.
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
  'livekit:user_unavailable': 'no_answer',
  'livekit:user_rejected': 'busy',
  'livekit:sip_trunk_failure': 'failed',
  'livekit:media_failure': 'failed',
  'livekit:join_failure': 'failed',
  'livekit:connection_timeout': 'failed',
  'livekit:unavailable': 'failed',
  'livekit:not_found': 'failed',
  'livekit:invalid_argument': 'failed',
  'livekit:failed_precondition': 'failed',
  'livekit:permission_denied': 'failed',
  'livekit:unauthenticated': 'failed',
  'livekit:resource_exhausted': 'failed',
  'livekit:deadline_exceeded': 'failed',
  'livekit:unimplemented': 'failed',
  'livekit:internal': 'failed',
  'livekit:refused': 'failed',
  'twilio:queued': 'queued',
  'twilio:initiated': 'queued',
  'twilio:ringing': 'ringing',
  'twilio:in-progress': 'answered',
  'twilio:completed': 'hung_up',
  'twilio:busy': 'busy',
  'twilio:no-answer': 'no_answer',
  'twilio:canceled': 'no_answer',
  'twilio:failed': 'failed',
  // Too many concurrent calls; country not allowed; invalid number.
  'twilio:10004': 'failed',
  'twilio:13224': 'failed',
  'twilio:13227': 'failed',
  // Account not authorised; rate limit; own number not verified.
  'twilio:20003': 'failed',
  'twilio:20429': 'failed',
  'twilio:21210': 'failed',
  // Number invalid, unreachable, in a barred country or on a block list, or not verified for a trial.
  'twilio:21211': 'failed',
  'twilio:21214': 'failed',
  'twilio:21215': 'failed',
  'twilio:21216': 'failed',
  'twilio:21219': 'failed',
  'twilio:refused': 'failed',
  'sip:100': 'queued',
  'sip:180': 'ringing',
  'sip:181': 'ringing',
  'sip:182': 'queued',
  'sip:183': 'ringing',
  'sip:200': 'answered',
  'sip:300': 'failed',
  'sip:301': 'failed',
  'sip:302': 'failed',
  'sip:305': 'failed',
  'sip:380': 'failed',
  'sip:400': 'failed',
  'sip:401': 'failed',
  'sip:402': 'failed',
  'sip:403': 'failed',
  'sip:404': 'failed',
  'sip:405': 'failed',
  'sip:406': 'failed',
  'sip:407': 'failed',
  'sip:408': 'no_answer',
  'sip:410': 'failed',
  'sip:413': 'failed',
  'sip:414': 'failed',
  'sip:415': 'failed',
  'sip:416': 'failed',
  'sip:420': 'failed',
  'sip:421': 'failed',
  'sip:423': 'failed',
  'sip:480': 'no_answer',
  'sip:481': 'failed',
  'sip:482': 'failed',
  'sip:483': 'failed',
  'sip:484': 'failed',
  'sip:485': 'failed',
  'sip:486': 'busy',
  'sip:487': 'no_answer',
  'sip:488': 'failed',
  'sip:491': 'failed',
  'sip:493': 'failed',
  'sip:500': 'failed',
  'sip:501': 'failed',
  'sip:502': 'failed',
  'sip:503': 'failed',
  'sip:504': 'failed',
  'sip:505': 'failed',
  'sip:513': 'failed',
  'sip:600': 'busy',
  'sip:603': 'busy',
  'sip:604': 'failed',
  'sip:606': 'failed',
  'sip:607': 'busy',
  'sip:608': 'failed',
  'service:ringing': 'ringing',
  'service:unreachable': 'failed',
  'service:lost': 'failed',
  'service:hung_up': 'hung_up',
};

/** The state that a carrier's code means. */
export const legStateOf = (code: string): LegState => carrier_codes[code] ?? 'failed';

const order: readonly LegState[] = ['queued', 'ringing', 'answered'];

/** Whether a leg may move from one state to another: only forward, so that reports out of order have no effect. */
export function mayTransition(now: LegState, next: LegState): boolean {
  if (!order.includes(now)) return false;
  return !order.includes(next) || order.indexOf(next) > order.indexOf(now);
}
