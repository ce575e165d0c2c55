import { callCaption } from '../../domain/calls/state/call-events.ts';
import { feature } from '../../kernel/endpoint.ts';
import { captionSpeech } from './caption-speech.ts';

export const callCaptions = feature({
  area: 'call-captions',
  title: 'Captions of calls',
  endpoints: [captionSpeech],
  events: [callCaption],
});
