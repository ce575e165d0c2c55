/** A recording that is mixed without ffmpeg, on the embedded media server. */
import { describe } from 'vitest';
import { testMixedRecording } from './mixed-recording.ts';

describe('a recording without ffmpeg', () => testMixedRecording({}));
