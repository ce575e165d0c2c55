/**
 * The time of a reply does not reveal whether an account exists (M6): distributions over real sockets, in random order.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, signUp } from '../../running/running-people.ts';
import { startService, type Service } from '../../running/running-service.ts';
import { compareTimes, measureMixed } from '../../attacks/timing.ts';

const rounds = 200;
/**
 * Two distributions are considered equal while neither their medians nor their ranks differ by more; ranks are more
 * sensitive.
 */
const max_ratio = 1.5;
const max_rank = 0.15;

describe('the reply time', () => {
  let service: Service;
  let strangers = 0;
  beforeAll(async () => {
    service = await startService();
    await signUp(service, 'ada', '+14155550101');
  });
  afterAll(() => service.close());

  /** The name of an account that does not exist. */
  const stranger = () => `nobody.${(strangers += 1)}`;

  async function request(
    route: string,
    body: object,
    status: number,
  ): Promise<any> /* oxlint-disable-line typescript/no-explicit-any -- tests read answers freely */ {
    const answer = await service.call(route, { body });
    expect(answer.status).toBe(status);
    return answer.body;
  }

  async function expectSame(title: string, known: () => Promise<unknown>, unknown: () => Promise<unknown>) {
    // Warm up both first: the first replies include one-time loading and planning.
    await measureMixed(5, known, unknown);
    const [known_times, unknown_times] = await measureMixed(rounds, known, unknown);
    const { ratio, rank } = compareTimes(known_times, unknown_times);
    process.stdout.write(`${title}: medians 1:${ratio.toFixed(3)}, rank ${rank.toFixed(3)}\n`);
    expect(ratio).toBeLessThan(max_ratio);
    expect(ratio).toBeGreaterThan(1 / max_ratio);
    expect(Math.abs(rank - 0.5)).toBeLessThan(max_rank);
  }

  it('of signing in is the same for an unknown account', () =>
    expectSame(
      'login',
      () => request('POST /auth/login', { username: 'ada', password: 'not the right one' }, 401),
      () => request('POST /auth/login', { username: stranger(), password: 'not the right one' }, 401),
    ));

  it('of requesting a new password is the same for an unknown account', () =>
    expectSame(
      'forgot password',
      () => request('POST /auth/forgot', { identifier: 'ada@example.org' }, 202),
      () => request('POST /auth/forgot', { identifier: `${stranger()}@example.org` }, 202),
    ));

  it('of requesting a magic link is the same for an unknown account', () =>
    expectSame(
      'magic link',
      () => request('POST /auth/magic-link', { email: 'ada@example.org' }, 202),
      () => request('POST /auth/magic-link', { email: `${stranger()}@example.org` }, 202),
    ));

  it('of registering, and of checking codes afterwards, is the same for a taken and a free address', async () => {
    const ids = { known: [] as string[], unknown: [] as string[] };
    const register = async (kind: 'known' | 'unknown') => {
      const username = stranger();
      const email = kind === 'known' ? 'ada@example.org' : `${username}@example.org`;
      const { registration_id } = await request('POST /auth/register', { username, password, email }, 201);
      ids[kind].push(registration_id);
    };
    await expectSame(
      'register',
      () => register('known'),
      () => register('unknown'),
    );
    // Each registration gets one wrong code here, since a code is invalid after five.
    const check = async (kind: 'known' | 'unknown') => {
      const answer = await request(
        'POST /auth/register/verify',
        { registration_id: ids[kind].pop(), code: '000000' },
        422,
      );
      expect(answer.error.fields.code).toBeDefined();
    };
    await expectSame(
      'check of codes',
      () => check('known'),
      () => check('unknown'),
    );
  });
});
