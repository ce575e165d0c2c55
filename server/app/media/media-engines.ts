/** What a media server provides, whichever it is. */
import type { Engines, PhoneParticipants } from '../../engines/ports.ts';

/** The media server with its recorder and phone participants, which are clients of it. */
export type MediaEngines = Pick<Engines, 'media' | 'recorder'> & { phone_participants: PhoneParticipants };
