import { calling_jobs } from '../../domain/calling.ts';
import { callEnded, callRinging, callUpdated } from '../../domain/conferences.ts';
import { feature } from '../../kernel/endpoint.ts';
import { createSfuGrant } from './create-sfu-grant.ts';
import { declineCall } from './decline-call.ts';
import { endCall } from './end-call.ts';
import { getActiveCall } from './get-active-call.ts';
import { getCall } from './get-call.ts';
import { leaveCall } from './leave-call.ts';
import { listCallChat } from './list-call-chat.ts';
import { postCallChat } from './post-call-chat.ts';
import { chatMessage, chatTyping } from './schemas.ts';
import { setCallPrivacy } from './set-call-privacy.ts';
import { setCallTyping } from './set-call-typing.ts';
import { startCall } from './start-call.ts';

export const calls = feature({
  area: 'calls',
  title: 'Calls and grid',
  endpoints: [
    startCall, getActiveCall, endCall, setCallPrivacy, getCall, declineCall, leaveCall, createSfuGrant, listCallChat, postCallChat, setCallTyping,
  ],
  events: [callRinging, callUpdated, callEnded, chatMessage, chatTyping],
  jobs: calling_jobs,
});
