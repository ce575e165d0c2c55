/** Pushes that are not sent: the console shows them. */
import type { OutboxSink, PushService } from '../ports.ts';

/** The simulator of a push service: pushes are only shown in the console. */
export function createConsolePush(outbox_sink: OutboxSink): PushService {
  return {
    send(target, { id, to, title, text, data }) {
      const device = `${target.platform} ${target.platform === 'web' ? target.subscription.endpoint : target.token}`;
      const { url } = data;
      outbox_sink.add({
        id: `${id} ${device}`,
        channel: 'push',
        to,
        subject: title ?? data['type'] ?? '',
        text: text ?? '',
        links: url ? [url] : [],
      });
      return Promise.resolve('sent');
    },
    close: () => Promise.resolve(),
  };
}
