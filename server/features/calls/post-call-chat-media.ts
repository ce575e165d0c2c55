import { requireInCall, postCallMessage } from '../../domain/chat/call-chat.ts';
import { ChatMessage } from '../../domain/chat/messages.ts';
import { JoinCode } from '../../domain/calls/calls.ts';
import { discardUpload, storeUpload, stageUpload } from '../../domain/files/uploads.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object, optional, text } from '../../kernel/schema.ts';

export const postCallChatMedia = endpoint({
  id: 'postCallChatMedia',
  route: 'POST /calls/{join_code}/chat/media',
  summary: 'Post media in the chat of a call',
  kind: 'upload',
  throttle: 'chat',
  path: object({ join_code: JoinCode }),
  body: object({ body: optional(text(0, 4000)) }),
  reply: ChatMessage,
  status: [201],
  errors: ['not_in_call', 'plan_limit_reached'],
  async prepare({ caller, path, file, services }) {
    // Before the upload is decoded and stored: only participants may upload.
    await requireInCall(services.db, path.join_code, caller.user_id);
    return stageUpload(services, caller.user_id, file ?? invalid({ file: 'is required' }));
  },
  discard: (staged, services) => discardUpload(services, staged),
  async run({ caller, path, body, prepared, services, ...change }) {
    const { call, participant } = await requireInCall(change.db, path.join_code, caller.user_id);
    const file = await storeUpload(change, prepared);
    return postCallMessage(change, services, call, participant, {
      kind: 'media',
      body: body.body ?? '',
      file_id: file.id,
      reply_to_id: null,
    });
  },
});
