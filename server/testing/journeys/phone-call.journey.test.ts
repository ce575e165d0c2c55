/** Phones in a call, over the media server inside the service. */
import { describe } from 'vitest';
import { testPhoneCall } from './phone-call.ts';

describe('phones in a call, on the embedded media server', () => {
  testPhoneCall({});
});
