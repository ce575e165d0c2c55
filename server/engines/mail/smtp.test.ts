import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readLetter } from '../../testing/contracts/read-letter.ts';
import { testMail } from '../../testing/contracts/mail.contract.ts';
import { endless_answers } from '../../testing/providers/endless-server.ts';
import { createSmtpMail } from './smtp.ts';

type Received = { to: string[]; data: string };

/** Starts a mail server that rejects recipients whose name begins with `nobody`. */
async function startServer(): Promise<{ url: string; received: Received[]; close(): Promise<void> }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('nobody') ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        received.push({ to, data: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** Starts a mail server that answers without an end. */
async function startEndless(
  way: keyof typeof endless_answers,
): Promise<{ url: string; length(): number; close(): void }> {
  let length = () => 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    length = endless_answers[way](socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    length: () => length(),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('SMTP mail', () => {
  testMail(async () => {
    const { url, received, close } = await startServer();
    return {
      mail: await createSmtpMail({ url, from: 'Asterism <post@example.net>' }),
      received: async (to) => received.filter((message) => message.to.includes(to)).map(({ data }) => readLetter(data)),
      refused: 'nobody@example.org',
      close,
    };
  });

  let url: string;
  let received: Received[];
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ url, received, close } = await startServer());
  });
  afterEach(() => close());

  const letter = { id: 'let_1', to: 'ann@example.org', subject: 'Grüße', text: 'Your code: 123456', links: [] };

  it.each(['flood', 'drip'] as const)('fails in time when the answer of the server does not end: %s', async (way) => {
    const server = await startEndless(way);
    onTestFinished(() => server.close());
    const mail = await createSmtpMail({ url: server.url, from: 'post@example.net', timeout_ms: 300 });
    onTestFinished(() => mail.close());
    await expect(mail.send(letter)).rejects.toThrow();
    expect(server.length()).toBeGreaterThan(0);
    // The limit, and what both ends of a connection buffer.
    expect(server.length()).toBeLessThan(16 * 1024 * 1024);
  });

  it('delivers one letter to one recipient with a stable Message-ID', async () => {
    const mail = await createSmtpMail({ url, from: 'Asterism <post@example.net>' });
    await mail.send(letter);
    await mail.close();
    expect(received).toHaveLength(1);
    expect(received[0]?.to).toEqual(['ann@example.org']);
    expect(received[0]?.data).toContain('Message-ID: <let_1@example.net>');
    expect(received[0]?.data).toContain('Your code: 123456');
  });

  it('rejects when the server rejects the recipient, and when there is no server', async () => {
    const mail = await createSmtpMail({ url, from: 'post@example.net' });
    await expect(mail.send({ ...letter, to: 'nobody@example.org' })).rejects.toThrow('No such mailbox');
    await mail.close();
    const nowhere = await createSmtpMail({ url: 'smtp://127.0.0.1:1', from: 'post@example.net' });
    await expect(nowhere.send(letter)).rejects.toThrow('ECONNREFUSED');
    expect(received).toEqual([]);
  });

  it('allows no injection of headers or recipients', async () => {
    const mail = await createSmtpMail({ url, from: 'post@example.net' });
    await mail.send({ ...letter, subject: 'Hi\r\nBcc: eve@example.org' });
    await mail.send({ ...letter, to: 'ann@example.org, eve@example.org' }).catch(() => undefined);
    await mail.close();
    expect(received.flatMap(({ to }) => to)).not.toContain('eve@example.org');
    expect(received[0]?.data).not.toMatch(/^Bcc:/m);
  });
});
