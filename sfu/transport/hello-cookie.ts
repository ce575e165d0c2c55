/**
 * The cookie that a DTLS client repeats before its ClientHello has any effect (RFC 6347, 4.2.1): it proves that the client
 * receives what is sent to its address, which somebody who forges that address does not.
 */
import { randomBytes } from 'node:crypto';
import { createRateGate, LIMITS } from '../limits.ts';
import { HANDSHAKE } from './handshake-check.ts';
import { writeRecord } from './handshake-records.ts';

const COOKIE_BYTES = 20;
/** Before the session id of a ClientHello: its version and `random`. */
const SESSION_AT = 34;
const VERSION = [254, 253];

/** The cookie of one connection. */
export class HelloCookie {
  readonly value = randomBytes(COOKIE_BYTES);
  readonly #gate = createRateGate(LIMITS.hello_answers_per_second, LIMITS.hello_answers_burst);
  /**
   * HelloVerifyRequests sent, which is the number of the next record. It is never that of the client's record, which may be
   * forged: a far one would make the client take all that follows for old.
   */
  sent = 0;

  /**
   * The record that requests the cookie; undefined above the rate. The cookie does not depend on the ClientHello: the peer
   * can use an answer to a forged one as well, so that a flood of forged ones cannot prevent it from getting the cookie.
   */
  ask(): Buffer | undefined {
    if (!this.#gate.take(performance.now())) return undefined;
    const body = Buffer.concat([Buffer.from([...VERSION, COOKIE_BYTES]), this.value]);
    return writeRecord(this.sent++, HANDSHAKE.hello_verify_request, 0, body);
  }

  /** A ClientHello without its cookie; undefined where it has another one or none. */
  strip(hello: Buffer): Buffer | undefined {
    const at = SESSION_AT + 1 + (hello[SESSION_AT] ?? 0);
    if (hello[at] !== COOKIE_BYTES) return undefined;
    const end = at + 1 + COOKIE_BYTES;
    if (!hello.subarray(at + 1, end).equals(this.value)) return undefined;
    return Buffer.concat([hello.subarray(0, at), Buffer.from([0]), hello.subarray(end)]);
  }
}
