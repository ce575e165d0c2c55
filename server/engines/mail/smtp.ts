/** Mail by SMTP (RFC 5321). */
import type { Mail } from '../ports.ts';

const TIMEOUT_MS = 15_000;
/** For the whole exchange of one mail, also with a server that is never silent, in milliseconds. */
const SEND_TIMEOUT_MS = 60_000;

/**
 * @param options.url `smtp://USER:PASSWORD@HOST:PORT`, or `smtps:` for TLS from the first byte; STARTTLS is used where offered.
 * @param options.from the sender's address, `Name <address>` or bare.
 * @param options.timeout_ms the time limit of one mail; a minute by default.
 * `send` rejects when the server refuses, is silent for 15 s or takes longer than the limit: the caller tries again. Answers of more
 * than 1 MB are refused by the library.
 */
export async function createSmtpMail(options: { url: string; from: string; timeout_ms?: number }): Promise<Mail> {
  const { createTransport } = await import('nodemailer');
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url: options.url, pool: true, maxConnections: 2, ...timeouts });
  const domain = /@([^\s>@]+)>?$/.exec(options.from)?.[1] ?? 'localhost';
  return {
    async send({ id, to, subject, text }) {
      // A mail that is sent twice has the same identifier, by which receivers recognise it (RFC 5322, section 3.6.4).
      const messageId = `<${id}@${domain}>`;
      // An address passed as an object is not parsed: a list or a group in it cannot add recipients.
      const signal = AbortSignal.timeout(options.timeout_ms ?? SEND_TIMEOUT_MS);
      await transport.sendMail({ from: options.from, to: { name: '', address: to }, subject, text, messageId, signal });
    },
    close() {
      transport.close();
      return Promise.resolve();
    },
  };
}
