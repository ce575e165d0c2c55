/** The order of test files: the longest first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files with slow tests, the longest first; vitest estimates the duration of a file by its size. */
const LONG = [
  'impaired.wide.test.ts',
  'video-recording.wide.test.ts',
  'languages.page.test.ts',
  'schemathesis.wide.test.ts',
  'gallery.page.test.ts',
  'layout-shift.page.test.ts',
  'call-pages.journey.test.ts',
  'link-guests.journey.test.ts',
  'video-recording.journey.test.ts',
  'firefox-pages.wide.test.ts',
  'recording.wide.test.ts',
  'hostile-files.wide.test.ts',
  'recording.journey.test.ts',
  'due-kill.journey.test.ts',
  'races.process.test.ts',
  'start.process.test.ts',
  'memory.wide.test.ts',
  'call-captions.journey.test.ts',
  'two-nodes.wide.test.ts',
  'sfu/browser.test.ts',
  'network.journey.test.ts',
  'firefox.wide.test.ts',
  'barred-listeners.journey.test.ts',
  'outbox-kill.process.test.ts',
  'recorded-call.journey.test.ts',
  'call-walk.process.test.ts',
  'contact-imports.process.test.ts',
  'mixed-recording.journey.test.ts',
  'real-targets.process.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const places = new Map(sorted.map((file) => [file, LONG.findIndex((name) => file.moduleId.endsWith(name))]));
    const placeOf = (file: TestSpecification) => {
      const place = places.get(file) ?? -1;
      return place < 0 ? LONG.length : place;
    };
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
