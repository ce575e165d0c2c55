/** Which participant a tile belongs to, whatever identity the media server reports. */
import { describe, expect, it } from 'vitest';
import { isOwnPhone, isPhone, participantOf } from './media-identity.ts';

type Participant = Parameters<typeof participantOf>[0]['participants'][number];

const user = { id: 'usr_1', username: 'ada', display_name: '', avatar_url: null };
const leg = { id: 'leg_1', state: 'answered' };
/** The properties of a participant that these tests need. */
const participant = (part: object) =>
  ({ user: null, guest: null, phone: null, leg: null, state: 'joined', ...part }) as unknown as Participant;
const ada = participant({ id: 'part_1', name: 'ada', user });
const gran = participant({ id: 'part_2', name: 'Gran', phone: '+44•••••0123', leg });
const call = { participants: [ada, gran] };
const media = (identity: string, attributes: Record<string, string> = {}) => ({ identity, attributes });

describe('the participant of a tile', () => {
  it('is an account by its identity, and a phone by its participant id', () => {
    expect(participantOf(call, media('usr_1'))).toBe(ada);
    expect(participantOf(call, media('part_2'))).toBe(gran);
    expect(participantOf(call, media('usr_9'))).toBeUndefined();
  });

  it('is found by the attribute where LiveKit names a phone, with the state of its leg', () => {
    const dialled_in = media('sip_8f3a', { 'sip.callID': 'SCL_2', 'asterism.identity': 'part_2' });
    expect(participantOf(call, dialled_in)).toMatchObject({ name: 'Gran', leg: { state: 'answered' } });
    expect(participantOf(call, media('sip_8f3a', { 'sip.callID': 'SCL_2' }))).toBeUndefined();
  });

  it('distinguishes the phone of an account from the account', () => {
    const own_phone = media('sip_77', { 'asterism.identity': 'part_1' });
    expect(participantOf(call, own_phone)).toBe(ada);
    expect([isOwnPhone(own_phone, ada), isOwnPhone(media('usr_1'), ada)]).toEqual([true, false]);
    expect(isOwnPhone(media('part_2'), gran)).toBe(false);
  });

  it('is no phone for a guest, who has no account either', () => {
    const gina = participant({ id: 'part_3', name: 'Gina', guest: { id: 'gst_1', name: 'Gina' } });
    expect([ada, gran, gina].map(isPhone)).toEqual([false, true, false]);
  });
});
