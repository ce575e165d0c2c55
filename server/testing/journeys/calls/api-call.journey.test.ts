/** A call with API requests and native clients alone, with the embedded media server. */
import { describe } from 'vitest';
import { testApiCall } from './api-call.ts';

describe('a call by the API, on the embedded media server', () => {
  testApiCall({ embedded: true });
});
