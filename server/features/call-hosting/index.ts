import { callMuted } from '../../domain/calls/state/call-events.ts';
import { feature } from '../../kernel/endpoint.ts';
import { lowerHands } from './lower-hands.ts';
import { moveHost } from './move-host.ts';
import { muteOthers } from './mute-others.ts';
import { muteParticipant } from './mute-participant.ts';
import { setParticipantRole } from './set-participant-role.ts';

export const callHosting = feature({
  area: 'call-hosting',
  title: 'Hosting calls',
  endpoints: [muteParticipant, muteOthers, lowerHands, moveHost, setParticipantRole],
  events: [callMuted],
});
