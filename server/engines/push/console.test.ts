import { describe, expect, it } from 'vitest';
import { testPush, push_message } from '../../testing/contracts/push.contract.ts';
import { createOutboxSink } from '../outbox-sink/memory.ts';
import { createConsolePush } from './console.ts';

describe('console push', () => {
  const outbox_sink = createOutboxSink({ now: () => new Date(0) });
  const service = createConsolePush(outbox_sink);
  const known = { platform: 'ios', token: 'phone' } as const;
  testPush(() => ({ service, target: () => known }));

  it('lists pushes by recipient', async () => {
    await service.send(known, { ...push_message, id: 'out_9', to: 'zoe' });
    expect(outbox_sink.list({ to: 'zoe', channel: 'push', limit: 9, offset: 0 }).items).toMatchObject([
      { subject: 'Bob', text: 'Bob mentioned you' },
    ]);
  });
});
