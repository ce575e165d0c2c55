/** The order of test files: the longest first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Short files with slow tests; vitest estimates the duration of a file by its size. Those that mostly wait, for media or
 * for a time limit, stand between those that keep the processor busy, so that both are used.
 */
const LONG = [
  // Whole services, pages and journeys.
  'languages.page.test.ts',
  'missing-things.page.test.ts',
  'gallery.page.test.ts',
  'recorder/recording.journey.test.ts',
  'call-pages.journey.test.ts',
  'due-kill.journey.test.ts',
  'search-tags.process.test.ts',
  'first-opening.page.test.ts',
  'call-gallery.journey.test.ts',
  'video-recording.journey.test.ts',
  'races.process.test.ts',
  'link-guests.journey.test.ts',
  'people.page.test.ts',
  'contact-imports.process.test.ts',
  'purge.process.test.ts',
  'places.page.test.ts',
  'start.process.test.ts',
  'real-targets.process.test.ts',
  'call-captions.journey.test.ts',
  'chats.page.test.ts',
  'drain.process.test.ts',
  'message-actions.page.test.ts',
  'recorded-call.journey.test.ts',
  'call-stage.journey.test.ts',
  'embedded.process.test.ts',
  'call-walk.process.test.ts',
  'sfu/browser.test.ts',
  'run-due.process.test.ts',
  'call-session.journey.test.ts',
  'mixed-recording.journey.test.ts',
  'call-effects.journey.test.ts',
  'threads.process.test.ts',
  'pages/pages.page.test.ts',
  'address-book.page.test.ts',
  'offline.journey.test.ts',
  'find-in-calls.journey.test.ts',
  'follow-graph.process.test.ts',
  'call-controls.journey.test.ts',
  'panes.page.test.ts',
  'hostile-imports.process.test.ts',
  'outbox-kill.process.test.ts',
  'barred-listeners.journey.test.ts',
  'network.journey.test.ts',
  'delivery-kill.process.test.ts',
  'browser-push.page.test.ts',
  'room-workers.journey.test.ts',
  'forged-server.journey.test.ts',
  // Real servers.
  'impaired.wide.test.ts',
  'schemathesis.wide.test.ts',
  'recorder/recording.wide.test.ts',
  'firefox-pages.wide.test.ts',
  'memory.wide.test.ts',
  'video-recording.wide.test.ts',
  'two-nodes.wide.test.ts',
  'pages/firefox.wide.test.ts',
  'hostile-files.wide.test.ts',
  'livekit-nodes.wide.test.ts',
  'mixed-recording.wide.test.ts',
  'barred-listeners.wide.test.ts',
  'widgets-firefox.wide.test.ts',
  'phone-call.wide.test.ts',
  'ffmpeg.video.wide.test.ts',
  'api-call.wide.test.ts',
  'metadata.wide.test.ts',
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
