import { describe } from 'vitest';
import { testMediaTokens } from './media-tokens.ts';

describe('media tokens, on the embedded media server', () => testMediaTokens({}));
