/** What every mail adapter must do. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Mail } from '../../engines/ports.ts';

/** The engine under test, with the mailboxes that it delivers to. */
export type MailTarget = {
  mail: Mail;
  /** The letters delivered to an address, as far as the target can read them; waits for one that is on its way. */
  received(to: string): Promise<{ subject: string; text: string }[]>;
  /** An address that the server rejects; undefined where it rejects none. */
  refused: string | undefined;
  close(): Promise<void>;
};

/** Declares the suite's tests. @param open starts the target, once */
export function testMail(open: () => Promise<MailTarget>): void {
  let target: MailTarget;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(async () => {
    await target.mail.close();
    await target.close();
  });
  const letterTo = (to: string) => ({
    id: `let_${randomUUID()}`,
    to,
    subject: 'Grüße, and hello',
    text: 'Your code: 123456\n.\n..two dots',
    links: [],
  });
  const address = () => `ann-${randomUUID()}@example.org`;

  it('delivers a letter unchanged to its only recipient', async () => {
    const to = address();
    await target.mail.send(letterTo(to));
    const [letter, ...more] = await target.received(to);
    expect(more).toEqual([]);
    expect(letter?.subject).toBe('Grüße, and hello');
    expect(letter?.text.trimEnd()).toBe('Your code: 123456\n.\n..two dots');
  });

  it('delivers each letter to its own recipient when many are sent at once', async () => {
    const recipients = Array.from({ length: 10 }, address);
    await Promise.all(recipients.map((to) => target.mail.send({ ...letterTo(to), text: `For ${to}` })));
    for (const to of recipients)
      expect((await target.received(to)).map(({ text }) => text.trim())).toEqual([`For ${to}`]);
  });

  it('fails when the server rejects, without the text of the letter in the error', async () => {
    const { refused } = target;
    if (refused === undefined) return;
    const error = await target.mail.send(letterTo(refused)).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('123456');
    const to = address();
    await target.mail.send(letterTo(to));
    expect(await target.received(to)).toHaveLength(1);
  });
}
