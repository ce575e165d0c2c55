import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { testMail } from '../../testing/contracts/mail.contract.ts';
import { readLetter } from '../../testing/contracts/read-letter.ts';
import { createSmtpMail } from './smtp.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

/** A server that accepts letters for example.org, except for recipients whose name begins with `nobody`. */
const url = process.env.SMTP_TEST_URL ?? '';
/** The maildir in which it stores every letter, with its recipient as `Envelope-to`. */
const maildir = process.env.SMTP_TEST_MAILDIR ?? '';

describeUnlessMissing(url && maildir ? undefined : 'SMTP_TEST_URL', 'SMTP mail with a real server', () => {
  const from = 'Asterism <post@example.net>';
  const received = async (): Promise<string[]> => {
    const folder = join(maildir, 'new');
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  };
  const find = (to: string) =>
    vi.waitFor(
      async () => {
        const letter = (await received()).find((text) => text.includes(`Envelope-to: ${to}\n`));
        expect(letter).toBeDefined();
        return letter as string;
      },
      { timeout: 20_000, interval: 50 },
    );

  testMail(async () => ({
    mail: await createSmtpMail({ url, from }),
    received: async (to) => {
      await find(to);
      return (await received()).filter((text) => text.includes(`Envelope-to: ${to}\n`)).map(readLetter);
    },
    refused: 'nobody@example.org',
    close: async () => undefined,
  }));

  it('delivers a letter completely: sender, recipient, subject, text and Message-ID', async () => {
    const id = `let_${randomUUID()}`;
    const to = `ann-${randomUUID()}@example.org`;
    const mail = await createSmtpMail({ url, from });
    const text = 'Ihr Code: 123456\n.\n..zwei Punkte, ein Gruß\n';
    await mail.send({ id, to, subject: 'Grüße', text, links: [] });
    await mail.close();
    const letter = await find(to);
    expect(letter).toContain(`From: ${from}\n`);
    expect(letter).toContain(`To: ${to}\n`);
    expect(letter).toContain(`Message-ID: <${id}@example.net>\n`);
    expect(letter).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\n');
    const body = letter.slice(letter.indexOf('\n\n') + 2);
    expect(letter).toContain('Content-Transfer-Encoding: quoted-printable\n');
    expect(body).toBe('Ihr Code: 123456\n.\n..zwei Punkte, ein Gru=C3=9F\n');
  });

  it('rejects with the reply of the server, and delivers further letters', async () => {
    const mail = await createSmtpMail({ url, from });
    const letter = { id: 'let_1', subject: 'Hello', text: 'Hello', links: [] };
    await expect(mail.send({ ...letter, to: 'nobody@example.org' })).rejects.toThrow('550 No such mailbox');
    await expect(mail.send({ ...letter, to: 'ann@elsewhere.example' })).rejects.toThrow('550 Relay not permitted');
    const to = `bea-${randomUUID()}@example.org`;
    await mail.send({ ...letter, to });
    await mail.close();
    expect(await find(to)).toContain('Subject: Hello\n');
  });

  it('allows no injection of headers or recipients', async () => {
    const mail = await createSmtpMail({ url, from });
    const [to, other] = [`cat-${randomUUID()}@example.org`, `eve-${randomUUID()}@example.org`];
    const letter = { id: 'let_2', subject: `Hello\r\nBcc: ${other}`, text: 'Hello', links: [] };
    await mail.send({ ...letter, to: `${to}, ${other}` }).catch(() => undefined);
    await mail.send({ ...letter, to });
    await mail.close();
    expect(await find(to)).not.toMatch(/^Bcc:/m);
    expect((await received()).filter((text) => text.includes(`Envelope-to: ${other}`))).toEqual([]);
  });
});
