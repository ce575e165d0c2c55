import { describe, expect, it } from 'vitest';
import { createConsoleMail } from '../mail/console.ts';
import { createOutboxSink } from './memory.ts';
import { createConsoleSms } from '../sms/console.ts';

describe('the outbox sink', () => {
  const now = () => new Date('2026-01-02T03:04:05.678Z');
  const list = { limit: 10, offset: 0 };

  it('lists what the mail and SMS simulators have sent, newest first, with times in whole seconds', async () => {
    const outbox_sink = createOutboxSink({ now });
    const letter = { id: 'a', to: 'ann@example.org', subject: 'Hello', text: 'Code 123456', links: [], code: '123456' };
    await createConsoleMail(outbox_sink).send(letter);
    await createConsoleSms(outbox_sink).send({ id: 'b', to: '+15550100', text: 'Hi', links: [] });
    const at = '2026-01-02T03:04:05Z';
    const sms = { id: 'b', to: '+15550100', text: 'Hi', links: [], channel: 'sms', at };
    expect(outbox_sink.list(list)).toEqual({ items: [sms, { ...letter, channel: 'email', at }], has_more: false });
    expect(outbox_sink.list({ ...list, to: '+15550100' }).items).toEqual([sms]);
    expect(outbox_sink.list({ ...list, to: 'Ann@Example.org' }).items.map(({ id }) => id)).toEqual(['a']);
    expect(outbox_sink.list({ ...list, channel: 'email' }).items.map(({ id }) => id)).toEqual(['a']);
  });

  it('paginates, drops the oldest items, and lists a repeated delivery once', async () => {
    const outbox_sink = createOutboxSink({ now, limit: 3 });
    const sms = createConsoleSms(outbox_sink);
    for (const id of ['1', '2', '3', '3', '4']) await sms.send({ id, to: '+15550100', text: id, links: [] });
    expect(outbox_sink.list({ limit: 2, offset: 0 })).toMatchObject({
      items: [{ id: '4' }, { id: '3' }],
      has_more: true,
    });
    expect(outbox_sink.list({ limit: 2, offset: 2 })).toMatchObject({ items: [{ id: '2' }], has_more: false });
  });
});
