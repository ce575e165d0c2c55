/** Mail that goes nowhere: the console shows it. */
import type { Mail, Outtray } from './ports.ts';

export function createConsoleMail(outtray: Outtray): Mail {
  return {
    send(letter) {
      outtray.add({ ...letter, channel: 'email' });
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
