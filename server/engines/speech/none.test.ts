import { describe } from 'vitest';
import { testSpeech } from '../../testing/contracts/speech.contract.ts';
import { createNoSpeech } from './none.ts';

describe('createNoSpeech', () => {
  testSpeech(async () => ({ speech: createNoSpeech(), sample: undefined, close: async () => undefined }));
});
