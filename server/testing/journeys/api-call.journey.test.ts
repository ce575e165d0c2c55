/** A call by requests and native clients alone, over the media server inside the service. */
import { describe } from 'vitest';
import { testApiCall } from './api-call.ts';

describe('a call by the API, on the embedded media server', () => {
  testApiCall({ embedded: true });
});
