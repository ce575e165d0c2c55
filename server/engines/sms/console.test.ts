import { describe } from 'vitest';
import { testSms } from '../../testing/contracts/sms.contract.ts';
import { createOutboxSink } from '../outbox-sink/memory.ts';
import { createConsoleSms } from './console.ts';

describe('console SMS', () => {
  testSms(async () => {
    const outbox_sink = createOutboxSink({ now: () => new Date() });
    return {
      sms: createConsoleSms(outbox_sink),
      received: async (to) => outbox_sink.list({ to, limit: 100, offset: 0 }).items.map(({ text }) => text),
      close: async () => undefined,
    };
  });
});
