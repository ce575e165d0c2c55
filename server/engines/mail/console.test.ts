import { describe } from 'vitest';
import { testMail } from '../../testing/contracts/mail.contract.ts';
import { createOutboxSink } from '../outbox-sink/memory.ts';
import { createConsoleMail } from './console.ts';

describe('console mail', () => {
  testMail(async () => {
    const outbox_sink = createOutboxSink({ now: () => new Date() });
    return {
      mail: createConsoleMail(outbox_sink),
      received: async (to) =>
        outbox_sink.list({ to, limit: 100, offset: 0 }).items.map(({ subject = '', text }) => ({ subject, text })),
      refused: undefined,
      close: async () => undefined,
    };
  });
});
