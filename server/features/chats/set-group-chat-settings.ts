import {
  chatSettings,
  ChatSettings,
  presentSettings,
  requireRoomForPin,
  requireSettings,
  SettingsBody,
} from '../../domain/chat/chat-settings.ts';
import { requireGroupMembership } from '../../domain/chat/group-chats.ts';
import { lockGroup } from '../../domain/contacts/group-invites.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { GroupPath } from './schemas.ts';
import { updateSettings } from './queries.ts';

export const setGroupChatSettings = endpoint({
  id: 'setGroupChatSettings',
  route: 'PATCH /groups/{group_id}/chat/settings',
  summary: 'Mute, archive, pin or mark a group chat',
  description: 'For yourself, until you leave the group. Omitted fields do not change.',
  extension: true,
  path: GroupPath,
  body: SettingsBody,
  reply: ChatSettings,
  errors: ['limit_reached'],
  async run({ path, body, caller, db, now, emit }) {
    requireSettings(body, now);
    const { user_id } = caller;
    // Locked, so that no membership is written after they have left.
    const [, place] = await Promise.all([
      lockGroup(db, path.group_id),
      requireGroupMembership(db, path.group_id, user_id),
    ]);
    if (body.pinned === true) await requireRoomForPin(db, user_id, place.group_id);
    const row = await updateSettings(db, place, user_id, body, now);
    const settings = presentSettings(row, now);
    emit(chatSettings, [`user:${user_id}`], { group_id: place.group_id, settings });
    return settings;
  },
});
