/** Providers of mail and SMS as real servers on loopback, which a test can interrupt at a step. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * A message that a provider has finally accepted. `id` is the same for the same message, where the provider receives
 * one.
 */
export type AcceptedMessage = { to: string; text: string; id: string };

/** Mocks of a mail server and of Twilio, which can interrupt a delivery at each step. */
export type Providers = {
  smtp_url: string;
  /** In place of https://api.twilio.com. */
  sms_url: string;
  letters: AcceptedMessage[];
  messages: AcceptedMessage[];
  /** Called once, at the given step of the next message; the provider continues only afterwards. */
  interrupt(step: ProviderStep, act: () => Promise<unknown>): void;
  close(): Promise<void>;
};

/** The steps of a message at its provider: recipient named, or sent completely but not yet answered. */
export type ProviderStep = 'letter-named' | 'letter-sent' | 'sms-sent';

/** Starts both on free ports of 127.0.0.1. */
export async function startProviders(): Promise<Providers> {
  let interruption: { step: ProviderStep; act: () => Promise<unknown> } | undefined;
  async function reachStep(step: ProviderStep): Promise<void> {
    if (interruption?.step !== step) return;
    const { act } = interruption;
    interruption = undefined;
    await act();
  }
  const letters: AcceptedMessage[] = [];
  const messages: AcceptedMessage[] = [];
  const smtp = startSmtp(reachStep, letters);
  const sms = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', async () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      messages.push({ to: form.get('To') ?? '', text: form.get('Body') ?? '', id: '' });
      await reachStep('sms-sent');
      response.writeHead(201).end('{}');
    });
  });
  sms.listen(0, '127.0.0.1');
  await Promise.all([once(smtp.server, 'listening'), once(sms, 'listening')]);
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  return {
    smtp_url: `smtp://127.0.0.1:${portOf(smtp.server)}`,
    sms_url: `http://127.0.0.1:${portOf(sms)}`,
    letters,
    messages,
    interrupt: (step, act) => {
      interruption = { step, act };
    },
    async close() {
      sms.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(resolve)),
        new Promise<unknown>((resolve) => sms.close(resolve)),
      ]);
    },
  };
}

function startSmtp(reachStep: (step: ProviderStep) => Promise<void>, letters: AcceptedMessage[]): SMTPServer {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: async (_address, _session, done) => {
      await reachStep('letter-named');
      done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', async () => {
        const text = Buffer.concat(chunks).toString();
        const id = /^Message-ID: (.+)$/im.exec(text)?.[1]?.trim() ?? '';
        letters.push({ to: session.envelope.rcptTo[0]?.address ?? '', text, id });
        await reachStep('letter-sent');
        done();
      });
    },
  });
  // A killed client resets its connection; without a listener, the event would end the test.
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  return smtp;
}
