/** What every way of sending short messages does, whichever adapter speaks to it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sms } from '../../engines/ports.ts';

export type SmsTarget = {
  sms: Sms;
  /** The texts that have come to a number. */
  received(to: string): Promise<string[]>;
  /** A number that the other side refuses; undefined where it refuses none. */
  refused: string | undefined;
  /** What no error may tell. */
  secrets: string[];
  close(): Promise<void>;
};

/** Declares the suite's tests. */
export function testSms(open: () => Promise<SmsTarget>): void {
  let target: SmsTarget;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(async () => {
    await target.sms.close();
    await target.close();
  });
  const message = (to: string) => ({ id: `sms_${to}`, to, text: 'Your code: 123456 ✓', links: [], code: '123456' });

  it('brings a message to its number, whole', async () => {
    await target.sms.send(message('+15005550006'));
    expect(await target.received('+15005550006')).toEqual(['Your code: 123456 ✓']);
  });

  it('brings each to its own number, many at once', async () => {
    const numbers = Array.from({ length: 10 }, (_, at) => `+1500555${1000 + at}`);
    await Promise.all(numbers.map((to) => target.sms.send({ ...message(to), text: `For ${to}` })));
    for (const to of numbers) expect(await target.received(to)).toEqual([`For ${to}`]);
  });

  it('fails where the other side refuses, and tells neither secrets nor words', async () => {
    const { refused, secrets } = target;
    if (refused === undefined) return;
    const error = await target.sms.send(message(refused)).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    for (const secret of [...secrets, '123456']) expect(String(error)).not.toContain(secret);
  });
}
