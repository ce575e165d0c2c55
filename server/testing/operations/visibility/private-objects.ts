/** What two people have between them, one object of each kind. */
import { everyId } from '../requests/targets.ts';
import { createEvent, shareEvent } from '../../steps/calendar.ts';
import { sendCallMessage } from '../../steps/call-chat.ts';
import { connectMedia, requestGrants, startCall } from '../../steps/calls.ts';
import { comment } from '../../steps/comments.ts';
import { addContact, importLines, previewLines } from '../../steps/contacts.ts';
import { createTag, follow, requestFollow } from '../../steps/follows.ts';
import { sendGroupMessage } from '../../steps/group-chats.ts';
import { createGroup, inviteToGroup, joinGroup } from '../../steps/groups.ts';
import { inviteByMail } from '../../steps/invites.ts';
import { requestEntry } from '../../steps/link-guests.ts';
import { inSeconds } from '../../steps/location.ts';
import { openAcceptedThread, sendMessage } from '../../steps/messages.ts';
import { saveRoom } from '../../steps/rooms.ts';
import { schedule } from '../../steps/scheduled-jobs.ts';
import { postStatus, replyTo } from '../../steps/statuses.ts';
import { becomeGuest, createWidget, grantPlusPlan, sendWidgetMessage } from '../../steps/widgets.ts';
import { uploadPicture } from '../../samples/media.ts';
import type { Persona } from '../../world/personas.ts';
import type { World } from '../../world/world.ts';

/** Creates these objects, none of which anybody else may see. @returns their identifiers, by prefix */
export async function createPrivateObjects(world: World, one: Persona, other: Persona): Promise<Map<string, string[]>> {
  const before = new Set(await everyId(world));
  const act = (route: string, body?: object) => world.call(route, { token: one.token, body });
  const pictureId = async () => (await uploadPicture(world, one)).id;
  await grantPlusPlan(world, one);
  const tags = await createTags(world, one, other, await pictureId());
  const group = await createGroup(world, one, 'Theirs', { avatar_file_id: await pictureId() });
  await joinGroup(world, group, one, other);
  await inviteToGroup(world, await createGroup(world, one, 'Theirs too'), one, other);
  await sendGroupMessage(world, group, one, 'Secret', { file_id: await pictureId() });
  for (const place of [`/groups/${group.id}`, `/xtags/${tags[0]}`]) await saveRoom(world, place, one);
  const thread = await openAcceptedThread(world, one, other);
  await sendMessage(world, thread, one, 'Secret', { media: [await pictureId()] });
  await shareEvent(world, await createEvent(world, one), one, [other]);
  await schedule(world, one, { kind: 'reminder', body: 'Secret' });
  const widget = await createWidget(world, one, 'theirs-widget', { group_id: group.id });
  await sendWidgetMessage(world, widget, await becomeGuest(world, widget), 'Secret');
  await addContact(world, one, { name: 'Secret', phones: [{ number: '+14155550177' }] });
  await importLines(world, one, ['Ann,+14155550188,,']);
  await previewLines(world, one, ['Ben,+14155550189,,']);
  await inviteByMail(world, one, 'secret@example.org');
  await act('POST /me/im-identities', { service: 'signal', handle: 'secret' });
  await act('POST /location/links', { expires_at: inSeconds(world, 3600) });
  const call = await startCall(world, one, [other]);
  await requestGrants(world, call.join_code, one, other);
  await connectMedia(world, call.conference_id, one, other);
  await sendCallMessage(world, call, one, 'Secret');
  await act('PATCH /calls/active', { guests: 'ask' });
  await requestEntry(world, call.join_code);
  await act('POST /calls/active/recording', {});
  await world.settle();
  const made = (await everyId(world)).filter((id) => !before.has(id));
  const by_prefix = Map.groupBy(made, (id) => id.slice(0, id.indexOf('_')));
  // Anybody may see the tag of the widget.
  return by_prefix.set('tag', tags);
}

/** Two private tags, one followed by the other person, with a status, a reply and a comment. */
async function createTags(world: World, one: Persona, other: Persona, picture_id: string): Promise<string[]> {
  const tag = await createTag(world, one, 'theirs');
  const asked = await createTag(world, one, 'theirs-asked', { follow_policy: 'approval' });
  await follow(world, tag, other);
  const more = { tag_id: tag.id, visibility: 'followers', media: [picture_id] };
  await replyTo(world, await postStatus(world, one, 'For followers', more), other, 'Yes');
  await comment(world, tag, other, 'Good');
  await requestFollow(world, asked, other);
  for (const { id } of [tag, asked])
    await world.call(`PATCH /xtags/${id}`, { token: one.token, body: { visibility: 'private' } });
  return [tag.id, asked.id];
}
