/** SMS that are not sent: the console shows them. */
import type { OutboxSink, Sms } from '../ports.ts';

/** The simulator of SMS: texts are only shown in the console. */
export function createConsoleSms(outbox_sink: OutboxSink): Sms {
  return {
    send(message) {
      outbox_sink.add({ ...message, channel: 'sms' });
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
