import { guestAsked, guestDecided } from '../../domain/calls/link-guests.ts';
import { feature } from '../../kernel/endpoint.ts';
import { createCallGuest } from './create-call-guest.ts';
import { decideCallGuest } from './decide-call-guest.ts';
import { declineCallGuests } from './decline-call-guests.ts';
import { getCallGuest } from './get-call-guest.ts';
import { getCallPreview } from './get-call-preview.ts';
import { hideAbsentGuest } from './jobs.ts';
import { listCallGuests } from './list-call-guests.ts';
import { withdrawCallGuest } from './withdraw-call-guest.ts';

export const callGuests = feature({
  area: 'call-guests',
  title: 'Guests of calls',
  endpoints: [
    getCallPreview,
    createCallGuest,
    getCallGuest,
    withdrawCallGuest,
    listCallGuests,
    decideCallGuest,
    declineCallGuests,
  ],
  events: [guestAsked, guestDecided],
  jobs: [hideAbsentGuest],
});
