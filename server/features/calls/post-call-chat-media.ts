import { requireInCall, postCallMessage } from '../../domain/chat/call-chat.ts';
import { ChatMessage, presentMessage } from '../../domain/chat/messages.ts';
import { JoinCode } from '../../domain/calls/state/calls.ts';
import { discardUpload, storeUpload, stageUpload } from '../../domain/files/uploads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { idOf, object, optional, text } from '../../kernel/schema.ts';

export const postCallChatMedia = endpoint({
  id: 'postCallChatMedia',
  route: 'POST /calls/{join_code}/chat/media',
  summary: 'Post media in the chat of a call',
  description: 'Accepts an upload, or the identifier of one of your files.',
  kind: 'either',
  throttle: 'call_chat',
  path: object({ join_code: JoinCode }),
  body: object({ body: optional(text(0, 4000)), file_id: optional(idOf('file')) }),
  reply: ChatMessage,
  status: [201],
  errors: ['not_in_call', 'plan_limit_reached'],
  async prepare({ caller, path, body, file, services }) {
    if (!file && !body.file_id) invalid({ file_id: 'is required unless a file is given' });
    if (file && body.file_id) invalid({ file_id: 'cannot be combined with a file' });
    if (!file) return undefined;
    // Before the upload is decoded and stored: only participants may upload.
    await requireInCall(services.db, path.join_code, caller.user_id);
    return stageUpload(services, caller.user_id, file);
  },
  discard: async (staged, services) => staged && discardUpload(services, staged),
  async run({ caller, path, body, prepared: staged, ...change }) {
    const { call, participant } = await requireInCall(change.db, path.join_code, caller.user_id);
    const written = await postCallMessage(change, call, participant, {
      kind: 'media',
      body: body.body ?? '',
      file_ids: [staged ? (await storeUpload(change, staged)).id : (body.file_id ?? '')],
      reply_to_id: null,
      forwarded: false,
    });
    return presentMessage(written, viewerOf({ caller, ...change }));
  },
});
