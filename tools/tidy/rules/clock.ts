import { findLines, isTest, type Rule } from '../repository.ts';

/** Allowed uses of other clocks, each with its reason. */
const ALLOWED = new Map([
  ['server/kernel/time.ts', 'is the clock'],
  ['server/engines/push/apns.ts', 'Apple uses the wall clock; the service’s clock may be moved in tests'],
  [
    'server/engines/media/livekit.ts',
    'media servers verify tokens by the wall clock; the service’s clock may be moved in tests',
  ],
  ['server/engines/media/livekit.grants.ts', 'the same'],
]);

export const clock: Rule = {
  name: 'clock',
  reason: 'One clock, which tests and the console move: server/kernel/time.ts.',
  check: (repository) =>
    [...repository].flatMap(([path, content]) =>
      !path.startsWith('server/') || !path.endsWith('.ts') || isTest(path) || ALLOWED.has(path)
        ? []
        : findLines(path, content, /\bDate\.now\(\)|\bnew Date\(\)/, 'reads the wall clock'),
    ),
};
