/** Phones in a call, with the embedded media server. */
import { describe } from 'vitest';
import { testPhoneCall } from './phone-call.ts';

describe('phones in a call, on the embedded media server', () => {
  testPhoneCall({});
});
