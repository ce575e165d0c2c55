/** What every SMS adapter must do. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sms } from '../../engines/ports.ts';

/** The engine under test, with the phones that it delivers to. */
export type SmsTarget = {
  sms: Sms;
  /** The texts delivered to a number. */
  received(to: string): Promise<string[]>;
  close(): Promise<void>;
};

/** An engine that sends by a provider. */
export type SmsProviderTarget = SmsTarget & {
  /** The same with a short time limit. */
  with_short_timeout: Sms;
  /** A number that the provider rejects, and one for which it never answers. */
  refused: string;
  silent: string;
  /** What no error may contain. */
  secrets: string[];
};

const message = (to: string) => ({ id: `sms_${to}`, to, text: 'Your code: 123456 ✓', links: [], code: '123456' });

/** Opens a target before the tests, and closes it after them. */
function useTarget<T extends SmsTarget>(open: () => Promise<T>): () => T {
  let target: T;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(async () => {
    await target.sms.close();
    await target.close();
  });
  return () => target;
}

/** Declares the suite's tests. @param open starts the target, once */
export function testSms(open: () => Promise<SmsTarget>): void {
  declareDelivery(useTarget(open));
}

function declareDelivery(read: () => SmsTarget): void {
  it('delivers a message to its number unchanged', async () => {
    const target = read();
    await target.sms.send(message('+15005550006'));
    expect(await target.received('+15005550006')).toEqual(['Your code: 123456 ✓']);
  });

  it('delivers each message to its own number when many are sent at once', async () => {
    const target = read();
    const numbers = Array.from({ length: 10 }, (_, at) => `+1500555${1000 + at}`);
    await Promise.all(numbers.map((to) => target.sms.send({ ...message(to), text: `For ${to}` })));
    for (const to of numbers) expect(await target.received(to)).toEqual([`For ${to}`]);
  });
}

/** Declares the suite's tests for an engine that sends by a provider. @param open starts the target, once */
export function testSmsProvider(open: () => Promise<SmsProviderTarget>): void {
  const read = useTarget(open);
  declareDelivery(read);

  it('fails when the provider rejects, with neither secrets nor text in the error', async () => {
    const { sms, refused, secrets } = read();
    const error = await sms.send(message(refused)).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    for (const secret of [...secrets, '123456']) expect(String(error)).not.toContain(secret);
  });

  it('fails when the provider does not answer in time', async () => {
    const { with_short_timeout, silent } = read();
    await expect(with_short_timeout.send(message(silent))).rejects.toThrow(/timeout/);
    await with_short_timeout.close();
  });
}
