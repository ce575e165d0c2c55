/** Short messages that go nowhere: the console shows them. */
import type { Outtray, Sms } from './ports.ts';

export function createConsoleSms(outtray: Outtray): Sms {
  return {
    send(message) {
      outtray.add({ ...message, channel: 'sms' });
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
