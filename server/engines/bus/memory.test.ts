import { describe } from 'vitest';
import { testBus } from '../../testing/contracts/bus.contract.ts';
import { createMemoryBus } from './memory.ts';

describe('the bus in memory', () => {
  testBus(() => {
    const bus = createMemoryBus();
    return Promise.resolve({ here: bus, there: bus });
  });
});
