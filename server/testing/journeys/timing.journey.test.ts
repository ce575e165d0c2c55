/** Whether an account exists cannot be told from the time of an answer (M6): distributions over real sockets, mixed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, signUp } from '../running-people.ts';
import { startService, type Service } from '../running-service.ts';
import { compareTimes, measureMixed } from '../timing.ts';

const rounds = 200;
/** Two distributions count as one while neither their medians nor their ranks differ by more; ranks are the finer measure. */
const max_ratio = 1.5;
const max_rank = 0.15;

describe('the time of an answer', () => {
  let service: Service;
  let strangers = 0;
  beforeAll(async () => {
    service = await startService();
    await signUp(service, 'ada', '+14155550101');
  });
  afterAll(() => service.close());

  /** Somebody that the service has never heard of. */
  const stranger = () => `nobody.${(strangers += 1)}`;

  async function ask(
    route: string,
    body: object,
    status: number,
  ): Promise<any> /* oxlint-disable-line typescript/no-explicit-any -- tests read answers freely */ {
    const answer = await service.call(route, { body });
    expect(answer.status).toBe(status);
    return answer.body;
  }

  async function expectSame(title: string, known: () => Promise<unknown>, unknown: () => Promise<unknown>) {
    // Warm both ways first: the first answers pay for what is loaded and planned once.
    await measureMixed(5, known, unknown);
    const [one, other] = await measureMixed(rounds, known, unknown);
    const { ratio, rank } = compareTimes(one, other);
    process.stdout.write(`${title}: medians 1:${ratio.toFixed(3)}, rank ${rank.toFixed(3)}\n`);
    expect(ratio).toBeLessThan(max_ratio);
    expect(ratio).toBeGreaterThan(1 / max_ratio);
    expect(Math.abs(rank - 0.5)).toBeLessThan(max_rank);
  }

  it('of signing in is that of a stranger', () =>
    expectSame(
      'login',
      () => ask('POST /auth/login', { username: 'ada', password: 'not the right one' }, 401),
      () => ask('POST /auth/login', { username: stranger(), password: 'not the right one' }, 401),
    ));

  it('of asking for a new password is that of a stranger', () =>
    expectSame(
      'forgot password',
      () => ask('POST /auth/forgot', { identifier: 'ada@example.org' }, 202),
      () => ask('POST /auth/forgot', { identifier: `${stranger()}@example.org` }, 202),
    ));

  it('of asking for a link is that of a stranger', () =>
    expectSame(
      'magic link',
      () => ask('POST /auth/magic-link', { email: 'ada@example.org' }, 202),
      () => ask('POST /auth/magic-link', { email: `${stranger()}@example.org` }, 202),
    ));

  it('of registering with a taken address, and of checking codes afterwards, is that of a free one', async () => {
    const ids = { known: [] as string[], unknown: [] as string[] };
    const register = async (kind: 'known' | 'unknown') => {
      const username = stranger();
      const email = kind === 'known' ? 'ada@example.org' : `${username}@example.org`;
      const { registration_id } = await ask('POST /auth/register', { username, password, email }, 201);
      ids[kind].push(registration_id);
    };
    await expectSame(
      'register',
      () => register('known'),
      () => register('unknown'),
    );
    // Each registration takes one wrong code here, since a code is dead after five.
    const check = async (kind: 'known' | 'unknown') => {
      const answer = await ask('POST /auth/register/verify', { registration_id: ids[kind].pop(), code: '000000' }, 422);
      expect(answer.error.fields.code).toBeDefined();
    };
    await expectSame(
      'check of codes',
      () => check('known'),
      () => check('unknown'),
    );
  });
});
