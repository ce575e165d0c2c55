/** Mail and SMS under kill -9 at each step of sending: every message is sent, at least once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProviders, type Providers, type AcceptedMessage } from '../../providers/providers.ts';
import { password, signUp } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

describe('mail and SMS under kill -9', () => {
  let providers: Providers;
  let service: Service;
  beforeAll(async () => {
    providers = await startProviders();
    service = await startService({
      faults: true,
      environment: {
        SMTP_URL: providers.smtp_url,
        TWILIO_ACCOUNT_SID: 'AC0',
        TWILIO_AUTH_TOKEN: 'none',
        TWILIO_FROM: '+14155550199',
      },
    });
    await redirect();
  });
  afterAll(async () => {
    await service.close();
    await providers.close();
  });

  const redirect = () => service.arm({ redirect: { from: 'https://api.twilio.com', to: providers.sms_url } });
  const kill = async () => {
    service.process.kill('SIGKILL');
    await service.ended();
  };
  const codeIn = (accepted: AcceptedMessage[], to: string) =>
    poll(
      async () => /\b\d{6}\b/.exec(accepted.findLast((message) => message.to === to)?.text ?? '')?.[0],
      `a code for ${to}`,
    );
  const codeFor = (to: string) => codeIn(to.includes('@') ? providers.letters : providers.messages, to);

  /**
   * Sends a request whose message kills the process, and starts the process again. The process may be killed before it
   * has replied: then the request is repeated with its key, and its stored reply returned.
   */
  async function callAndRestart(route: string, options: { token?: string; body: object }) {
    const request = { ...options, headers: { 'idempotency-key': randomUUID() } };
    const answer = await service.call(route, request).catch(() => undefined);
    expect(await service.ended()).toBe('SIGKILL');
    await service.killAndRestart();
    await redirect();
    return answer ?? service.call(route, request);
  }

  /** Registers an account, while the process is killed as the message to `email` is sent, and restarted. */
  async function registerAndRestart(email: string): Promise<string> {
    const username = email.split('@')[0] ?? '';
    const registration = await callAndRestart('POST /auth/register', { body: { username, password, email } });
    expect(registration.status).toBe(201);
    return registration.body.registration_id;
  }

  async function expectVerified(registration_id: string, email: string): Promise<void> {
    const code = await codeIn(providers.letters, email);
    const signed_in = await service.call('POST /auth/register/verify', { body: { registration_id, code } });
    expect(signed_in.status).toBe(201);
  }

  const lettersTo = (email: string) => providers.letters.filter(({ to }) => to === email);

  it('a letter that the server had not accepted is sent after the restart', async () => {
    const email = 'named@example.org';
    providers.interrupt('letter-named', kill);
    await expectVerified(await registerAndRestart(email), email);
    expect(lettersTo(email)).toHaveLength(1);
  });

  it.each(['letter-sent', 'before-job-done'] as const)(
    'a letter that was accepted without confirmation (%s) is sent again with the same identifier',
    async (step) => {
      const email = `${step.replaceAll('-', '.')}@example.org`;
      if (step === 'letter-sent') providers.interrupt(step, kill);
      else await service.arm({ point: step, containing: '' });
      const id = await registerAndRestart(email);
      await poll(async () => lettersTo(email).length === 2, 'the second letter');
      await expectVerified(id, email);
      const [first, second] = lettersTo(email);
      expect(first?.id).toMatch(/^<.+>$/);
      expect(second?.id).toBe(first?.id);
      expect(second?.text.split('\r\n\r\n')[1]).toBe(first?.text.split('\r\n\r\n')[1]);
    },
  );

  it('an SMS that was accepted without confirmation is sent again', async () => {
    const person = await signUp({ ...service, codeFor }, 'dora', '+14155550133');
    const number = '+14155550134';
    await service.call('PUT /me/mobile', { token: person.token, body: { mobile_number: number } });
    providers.interrupt('sms-sent', kill);
    const reply = await callAndRestart('POST /me/mobile/codes', { token: person.token, body: {} });
    expect(reply.status).toBe(202);
    const sent = () => providers.messages.filter(({ to }) => to === number);
    await poll(async () => sent().length === 2, 'the second message');
    expect(sent()[1]).toEqual(sent()[0]);
    const verified = await service.call('POST /me/mobile/verify', {
      token: person.token,
      body: { code: await codeFor(number) },
    });
    expect(verified.status).toBe(200);
  });
});
