/** Phones that ring nowhere: the console shows them, and plays their other end. */
import type { Outtray, Telephony } from './ports.ts';

export function createConsoleTelephony(outtray: Outtray, dial_in_number?: string): Telephony {
  return {
    dial_in_number,
    dial({ leg_id, to, name }) {
      outtray.add({ id: leg_id, channel: 'call', to, text: `A phone rings for ${name}.`, links: [] });
      return Promise.resolve({ carrier_id: leg_id });
    },
    hangUp: () => Promise.resolve(),
    look: () => Promise.resolve(undefined),
    receive: () => Promise.reject(new Error('the simulator has no carrier that could ask')),
    simulate: (leg_id, state) => Promise.resolve({ leg_id, code: `console:${state}` }),
    close: () => Promise.resolve(),
  };
}
