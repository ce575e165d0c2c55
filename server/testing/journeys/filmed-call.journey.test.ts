/** A filmed call on the embedded media server, played in Chromium. */

import { chromium_player, missing_films, testFilmedCall } from './filmed-call.ts';
import { describeUnlessMissing } from '../../../tools/skip.ts';

describeUnlessMissing(missing_films, 'a filmed call', () => {
  testFilmedCall({}, chromium_player);
});
