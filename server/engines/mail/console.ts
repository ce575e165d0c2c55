/** Mail that is not sent: the console shows it. */
import type { Mail, OutboxSink } from '../ports.ts';

/** The simulator of e-mail: letters are only shown in the console. */
export function createConsoleMail(outbox_sink: OutboxSink): Mail {
  return {
    send(letter) {
      outbox_sink.add({ ...letter, channel: 'email' });
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
