/** Short-lived tokens that assign a media stream to a leg. Any node can verify those of another. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Admitted } from '../ports.ts';

/** What a token says of its phone. */
export type Leg = Pick<Admitted, 'leg_id' | 'room' | 'identity' | 'name'>;

/** The tokens with which Twilio opens the media stream of a phone. */
export type StreamTokens = {
  /** Creates a token for a leg, valid for `valid_s` seconds of the wall clock. */
  issue(leg: Leg, valid_s: number): string;
  /** The leg of a valid token. */
  read(token: string): Leg | undefined;
};

/** @param secret the signing key is derived from it */
export function createStreamTokens(secret: string): StreamTokens {
  const key = createHmac('sha256', secret).update('media stream').digest();
  const sign = (content: string) => createHmac('sha256', key).update(content).digest();
  // The wall clock: a phone rings in real time, even where tests have moved the service's clock.
  const now_ms = () => performance.timeOrigin + performance.now();
  return {
    issue({ leg_id, room, identity, name }, valid_s) {
      const expires_at_ms = now_ms() + valid_s * 1000;
      const content = Buffer.from(JSON.stringify({ leg_id, room, identity, name, expires_at_ms })).toString(
        'base64url',
      );
      return `${content}.${sign(content).toString('base64url')}`;
    },
    read(token) {
      const [content = '', signature = ''] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(content);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const { expires_at_ms, ...leg } = JSON.parse(Buffer.from(content, 'base64url').toString()) as Leg & {
        expires_at_ms: number;
      };
      return expires_at_ms > now_ms() ? leg : undefined;
    },
  };
}
