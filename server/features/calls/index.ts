import { closeRoom, hangUp, removeFromRoom } from '../../domain/calls/call-jobs.ts';
import { checkCall } from '../../domain/calls/update-call.ts';
import { openDialInRoute } from '../../domain/calls/phones/dial-in-pins.ts';
import { phone_leg_jobs } from '../../domain/calls/dialing/phone-legs.ts';
import { pushRing, pushRingEnded } from '../../domain/calls/ringing.ts';
import { callEnded, callReaction, callRinging, callUpdated } from '../../domain/calls/state/call-events.ts';
import { feature } from '../../kernel/endpoint.ts';
import { addParticipants } from './add-participants.ts';
import { bridgePhone } from './bridge-phone.ts';
import { callMe } from './call-me.ts';
import { createSfuGrant } from './create-sfu-grant.ts';
import { declineCall } from './decline-call.ts';
import { endCall } from './end-call.ts';
import { getActiveCall } from './get-active-call.ts';
import { getCall } from './get-call.ts';
import { leaveCall } from './leave-call.ts';
import { listCallChat } from './list-call-chat.ts';
import { listRingingCalls } from './list-ringing-calls.ts';
import { postCallChat } from './post-call-chat.ts';
import { postCallChatMedia } from './post-call-chat-media.ts';
import { removeParticipant } from './remove-participant.ts';
import { sendCallReaction } from './send-call-reaction.ts';
import { setCallPrivacy } from './set-call-privacy.ts';
import { setHand } from './set-hand.ts';
import { startCall } from './start-call.ts';

export const calls = feature({
  area: 'calls',
  title: 'Calls and grid',
  endpoints: [
    startCall,
    getActiveCall,
    listRingingCalls,
    endCall,
    setCallPrivacy,
    addParticipants,
    removeParticipant,
    bridgePhone,
    callMe,
    getCall,
    declineCall,
    leaveCall,
    createSfuGrant,
    listCallChat,
    postCallChat,
    postCallChatMedia,
    setHand,
    sendCallReaction,
  ],
  events: [callRinging, callUpdated, callEnded, callReaction],
  jobs: [pushRing, pushRingEnded, checkCall, closeRoom, removeFromRoom, hangUp, ...phone_leg_jobs, openDialInRoute],
});
