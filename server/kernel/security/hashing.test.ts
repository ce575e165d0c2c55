import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../load/fair-queue.ts';
import { default_limits } from '../load/limits.ts';
import { hashPassword, isPassword } from './hashing.ts';
import { slow } from '../../../testing/slow-tests.ts';

const password = 'a quiet river bend';
const refuse = () => {
  throw new Error('too many');
};
const usual = {
  hashing: createFairQueue({ running: 2, running_per_account: 2, waiting: 32 }, refuse),
  limits: default_limits,
};
const client = '192.0.2.1';

describe('passwords', () => {
  it('are stored at the cost that OWASP recommends, each with a separate salt', async () => {
    const [first, second] = [await hashPassword(usual, client, password), await hashPassword(usual, client, password)];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
  });

  it('are verified at any cost with which they were stored', async () => {
    const stored = await hashPassword({ ...usual, limits: { ...default_limits, hashing_passes: 1 } }, client, password);
    expect(await isPassword(usual, client, stored, password)).toBe(true);
    expect(await isPassword(usual, client, stored, `${password}!`)).toBe(false);
    expect(await isPassword(usual, client, undefined, password)).toBe(false);
  });

  it('take as much CPU time without an account as with one', slow, async () => {
    const measureCpu = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const heavy = { ...usual, limits: { ...default_limits, hashing_passes: 12 } };
    const stored = await hashPassword(heavy, client, password);
    const with_account = await measureCpu(() => isPassword(heavy, client, stored, 'wrong'));
    const without = await measureCpu(() => isPassword(heavy, client, undefined, 'wrong'));
    const nothing = await measureCpu(async () => undefined);
    expect(without).toBeGreaterThan(with_account / 4);
    expect(nothing).toBeLessThan(with_account / 4);
  });
});
