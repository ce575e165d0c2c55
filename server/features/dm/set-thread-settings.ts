import { requireRoomForPin, requireSettings, SettingsBody } from '../../domain/chat/chat-settings.ts';
import { presentThread, requireThread, emitThread, Thread } from '../../domain/messages/threads.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { ThreadPath } from './schemas.ts';
import { updateSettings } from './rules/thread-queries.ts';

export const setThreadSettings = endpoint({
  id: 'setThreadSettings',
  route: 'PATCH /dm/threads/{thread_id}/settings',
  summary: 'Mute, archive, pin or mark a thread',
  description: 'For yourself; the other person is not notified. Omitted fields do not change.',
  extension: true,
  path: ThreadPath,
  body: SettingsBody,
  reply: Thread,
  errors: ['limit_reached'],
  async run({ path, body, ...change }) {
    const { db, now } = change;
    const viewer = viewerOf(change);
    requireSettings(body, now);
    const { id } = await requireThread(db, path.thread_id, viewer.id);
    if (body.pinned === true) await requireRoomForPin(db, viewer.id, id);
    const [, thread] = await Promise.all([
      updateSettings(db, id, viewer.id, body, now),
      requireThread(db, id, viewer.id),
    ]);
    emitThread(change, [thread]);
    return presentThread(thread, viewer);
  },
});
