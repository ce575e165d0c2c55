/** What every SMS adapter must do. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sms } from '../../engines/ports.ts';

/** The engine under test, with the phones that it delivers to. */
export type SmsTarget = {
  sms: Sms;
  /** The texts delivered to a number. */
  received(to: string): Promise<string[]>;
  /** A number that the provider rejects; undefined where it rejects none. */
  refused: string | undefined;
  /** The engine with a short time limit, and a number for which the provider never answers; undefined without a provider. */
  silent: { sms: Sms; to: string } | undefined;
  /** What no error may contain. */
  secrets: string[];
  close(): Promise<void>;
};

/** Declares the suite's tests. @param open starts the target, once */
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

  it('delivers a message to its number unchanged', async () => {
    await target.sms.send(message('+15005550006'));
    expect(await target.received('+15005550006')).toEqual(['Your code: 123456 ✓']);
  });

  it('delivers each message to its own number when many are sent at once', async () => {
    const numbers = Array.from({ length: 10 }, (_, at) => `+1500555${1000 + at}`);
    await Promise.all(numbers.map((to) => target.sms.send({ ...message(to), text: `For ${to}` })));
    for (const to of numbers) expect(await target.received(to)).toEqual([`For ${to}`]);
  });

  it('fails when the provider rejects, with neither secrets nor text in the error', async () => {
    const { refused, secrets } = target;
    if (refused === undefined) return;
    const error = await target.sms.send(message(refused)).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    for (const secret of [...secrets, '123456']) expect(String(error)).not.toContain(secret);
  });

  it('fails when the provider does not answer in time', async () => {
    const { silent } = target;
    if (silent === undefined) return;
    await expect(silent.sms.send(message(silent.to))).rejects.toThrow(/timeout/);
    await silent.sms.close();
  });
}
