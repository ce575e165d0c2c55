import { describe, expect, it } from 'vitest';
import { createConsoleMail } from './mail.console.ts';
import { createOuttray } from './outtray.memory.ts';
import { createConsoleSms } from './sms.console.ts';

describe('the outtray', () => {
  const now = () => new Date('2026-01-02T03:04:05.678Z');
  const list = { limit: 10, offset: 0 };

  it('shows what mail and SMS simulators were asked to send, newest first, in whole seconds', async () => {
    const outtray = createOuttray({ now });
    const letter = { id: 'a', to: 'ann@example.org', subject: 'Hello', text: 'Code 123456', links: [], code: '123456' };
    await createConsoleMail(outtray).send(letter);
    await createConsoleSms(outtray).send({ id: 'b', to: '+15550100', text: 'Hi', links: [] });
    const at = '2026-01-02T03:04:05Z';
    const sms = { id: 'b', to: '+15550100', text: 'Hi', links: [], channel: 'sms', at };
    expect(outtray.list(list)).toEqual({ items: [sms, { ...letter, channel: 'email', at }], has_more: false });
    expect(outtray.list({ ...list, to: '+15550100' }).items).toEqual([sms]);
    expect(outtray.list({ ...list, channel: 'email' }).items.map(({ id }) => id)).toEqual(['a']);
  });

  it('pages, drops the oldest, and shows a repeated delivery once', async () => {
    const outtray = createOuttray({ now, limit: 3 });
    const sms = createConsoleSms(outtray);
    for (const id of ['1', '2', '3', '3', '4']) await sms.send({ id, to: '+15550100', text: id, links: [] });
    expect(outtray.list({ limit: 2, offset: 0 })).toMatchObject({ items: [{ id: '4' }, { id: '3' }], has_more: true });
    expect(outtray.list({ limit: 2, offset: 2 })).toMatchObject({ items: [{ id: '2' }], has_more: false });
  });
});
