/** Who sees what, through every operation: `docs/visibility.md`, verified cell by cell. */
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reach_values } from '../../../domain/accounts/accounts.ts';
import { viewer_relations, postOfKind, createStage, status_kinds, type Stage } from './viewer-relations.ts';
import { cells, readCleared } from './cleared-chats.ts';
import { pushesOf } from '../../steps/devices.ts';
import { poll } from '../../running/running-service.ts';
import type { Answer } from '../../world/world.ts';

const document = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'visibility.md'), 'utf8');
const table = document
  .slice(document.indexOf('## The table'))
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const header = table[0] ?? [];

/** What the table states for one viewer, by row. */
const expectedFor = (name: string): Record<string, string> =>
  Object.fromEntries(table.slice(2).map((row) => [`${row[0]}: ${row[1]}`, row[header.indexOf(name)] ?? '']));

type Answers = Record<string, string>;
type Item = { id?: string; kind?: string; tag?: { id: string }; user?: { id: string }; subject?: { id: string } };

const no_id = '0'.repeat(26);
/** The same request for something that does not exist. */
const absent = (id: string) =>
  id.includes('_') ? `${id.split('_')[0]}_${no_id}` : id.startsWith('v-') ? 'v-absent' : 'aaa-bbbb-ccc';

/**
 * Requests an object by its identifier or name. A refusal must equal the reply for an object that does not exist, to
 * the byte. `ROUTE` and the body contain ID in place of the identifier.
 */
async function requestObject({ world, viewer }: Stage, route: string, id: string, body?: object): Promise<Answer> {
  const send = (item_id: string) =>
    world.call(route.replace('ID', item_id), {
      token: viewer?.token,
      ...(body ? { raw: JSON.stringify(body).replace('ID', item_id) } : {}),
    });
  const answer = await send(id);
  if (answer.status === 404 || answer.status === 422) {
    const none = await send(absent(id));
    const { fields = {} } = answer.body.error;
    if (!Object.values(fields).includes('cannot be yourself'))
      expect([route, answer.status, answer.body]).toEqual([route, none.status, none.body]);
  }
  return answer;
}

const cellOf = ({ status }: Answer): string => cells[status] ?? String(status);
const isIn = (answer: Answer, holds: (item: Item) => boolean): string =>
  answer.status === 200 ? (answer.body.items.some(holds) ? 'yes' : 'no') : cellOf(answer);

async function readTags(stage: Stage, answers: Answers): Promise<void> {
  for (const [kind, { id, name }] of Object.entries(stage.tags)) {
    const row = (way: string, answer: string) => void (answers[`${kind} tag: ${way}`] = answer);
    const list = async (path: string) => requestObject(stage, `GET ${path}`, '');
    row('single', cellOf(await requestObject(stage, 'GET /xtags/ID', id)));
    row(
      'search',
      isIn(await list(`/xtags/search?q=${name}`), (item) => item.id === id),
    );
    row('profile', cellOf(await requestObject(stage, 'GET /profiles/ID', name)));
    row('live', cellOf(await requestObject(stage, 'GET /profiles/ID/live', name)));
    row('comments', cellOf(await requestObject(stage, 'GET /profiles/ID/comments', name)));
    row('follower list', cellOf(await requestObject(stage, 'GET /xtags/ID/followers', id)));
    row(
      'own follows',
      isIn(await list('/follows'), (item) => item.tag?.id === id),
    );
    row(
      'own requests',
      isIn(await list('/follow-requests/outgoing'), (item) => item.tag?.id === id),
    );
  }
}

async function readStatuses(stage: Stage, answers: Answers): Promise<void> {
  for (const [kind, tag] of status_kinds) {
    const id = stage.statuses[kind]?.id ?? '';
    const row = (way: string, answer: string) => void (answers[`${kind}: ${way}`] = answer);
    row('single', cellOf(await requestObject(stage, 'GET /statuses/ID', id)));
    row('replies', cellOf(await requestObject(stage, 'GET /statuses/ID/replies', id)));
    row(
      'feed',
      isIn(await requestObject(stage, 'GET /feed', ''), (item) => item.id === id),
    );
    const notifications = await requestObject(stage, 'GET /notifications', '');
    row(
      'notifications',
      isIn(notifications, ({ subject }) => subject?.id === id),
    );
    if (!tag) continue;
    const profile = await requestObject(stage, 'GET /profiles/ID', stage.tags[tag].name);
    const shown = profile.status === 200 && profile.body.statuses.some((item: Item) => item.id === id);
    row('profile', shown ? 'yes' : 'no');
    // The count equals the list.
    if (profile.status === 200) expect(profile.body.status_count).toBe(profile.body.statuses.length);
  }
}

async function readFiles(stage: Stage, answers: Answers): Promise<void> {
  for (const [kind, { id }] of Object.entries(stage.files))
    answers[`${kind}: file`] = cellOf(await requestObject(stage, 'POST /files/ID/stream-token', id, {}));
}

async function readOthers(stage: Stage, answers: Answers): Promise<void> {
  const { owner, third, third_tag, third_status, tags, statuses } = stage;
  const has = (created: Item) => (item: Item) => item.id === created.id;
  const ours = statuses['public status']?.id ?? '';
  answers["another person's reply: replies"] = isIn(
    await requestObject(stage, 'GET /statuses/ID/replies', ours),
    has(stage.third_reply),
  );
  const theirs = await requestObject(stage, 'GET /statuses/ID/replies', third_status.id);
  answers["reply to another person's status: replies"] = isIn(theirs, has(stage.reply));
  const own_comments = await requestObject(stage, 'GET /profiles/ID/comments', tags.public.name);
  answers["another person's comment: comments"] = isIn(own_comments, has(stage.third_comment));
  const comments = await requestObject(stage, 'GET /profiles/ID/comments', third_tag.name);
  answers["comment on another person's profile: comments"] = isIn(comments, has(stage.comment));
  const followers = await requestObject(stage, 'GET /xtags/ID/followers', tags.public.id);
  answers['another person as follower: follower list'] = isIn(followers, ({ user }) => user?.id === third.id);
  const third_followers = await requestObject(stage, 'GET /xtags/ID/followers', third_tag.id);
  answers["owner as another person's follower: follower list"] = isIn(
    third_followers,
    ({ user }) => user?.id === owner.id,
  );
}

async function readCalls(stage: Stage, answers: Answers): Promise<void> {
  const { world, owner, viewer, call, tags } = stage;
  for (const privacy of ['private', 'public']) {
    await world.call('PATCH /calls/active', { token: owner.token, body: { privacy } });
    answers[`${privacy} call: single`] = cellOf(await requestObject(stage, 'GET /calls/ID', call.join_code));
    const live = await requestObject(stage, 'GET /profiles/ID/live', tags.public.name);
    answers[`${privacy} call: live`] = live.body.live ? 'yes' : 'no';
    const report = { target_type: 'call', target_id: 'ID', reason: 'spam' };
    answers[`${privacy} call: report`] = cellOf(
      await requestObject(stage, 'POST /abuse-reports', call.conference_id, report),
    );
  }
  // An account that enters a call is a participant from then on, so this is done last.
  for (const privacy of ['private', 'public']) {
    await world.call('PATCH /calls/active', { token: owner.token, body: { privacy } });
    answers[`${privacy} call: enter`] = cellOf(
      await requestObject(stage, 'POST /calls/ID/sfu-grant', call.join_code, {}),
    );
  }
  for (const persona of [viewer, owner]) await world.call('DELETE /calls/active', { token: persona?.token });
}

/** What a realtime connection receives of statuses that are posted from now on. */
async function receiveEvents(stage: Stage, answers: Answers): Promise<void> {
  const { world, viewer, owner } = stage;
  if (!viewer) {
    for (const [kind] of status_kinds)
      answers[`${kind}: realtime`] = cellOf(await requestObject(stage, 'GET /realtime/stream', ''));
    return;
  }
  const { realtime, db } = world.app.services;
  const events: string[] = [];
  const connection = {
    user_id: viewer.id,
    session_id: viewer.session_id,
    channel: new PassThrough(),
    isValid: () => Promise.resolve(true),
    send: ({ text }: { text: string }) => void events.push(text),
    close: () => undefined,
  };
  const leave = await realtime.join(connection, undefined, () => undefined);
  const can_post = (await world.call('GET /me', { token: owner.token })).status === 200;
  const posted = new Map<string, string>();
  for (const [kind, tag, visibility] of status_kinds)
    posted.set(kind, can_post ? (await postOfKind(stage, 'From now on', tag, visibility)).id : 'none');
  const newest = 'select xid::text, position::text from events order by events.xid desc, events.position desc limit 1';
  const { xid, position } = (await db.native.query(newest)).rows[0];
  await poll(() => Promise.resolve(realtime.headId().endsWith(`.${xid}.${position}`)), 'the reader of the outbox');
  leave();
  for (const [kind, id] of posted)
    answers[`${kind}: realtime`] = events.some((text) => text.includes(id)) ? 'yes' : 'no';
}

/**
 * What the devices of a viewer are pushed about the owner from now on: statuses that mention them, a message, and a
 * call.
 */
async function receivePushes(stage: Stage, answers: Answers): Promise<void> {
  const { world, viewer, owner, threads } = stage;
  const device = await world.call('POST /push-token', {
    token: viewer?.token,
    body: { platform: 'android', token: 'a-phone' },
  });
  const count = async () => (viewer ? (await pushesOf(world, viewer)).length : 0);
  /** Whether a request of the owner causes a push. */
  const isPushed = async (send: () => Promise<unknown>): Promise<string> => {
    if (!viewer) return cellOf(device);
    const before = await count();
    await send();
    return (await count()) > before ? 'yes' : 'no';
  };
  const can_post = (await world.call('GET /me', { token: owner.token })).status === 200;
  for (const [kind, tag, visibility] of status_kinds)
    answers[`${kind}: push`] = await isPushed(async () => {
      if (can_post) await postOfKind(stage, `${kind} @${viewer?.username}`, tag, visibility);
    });
  for (const [kind, { id }] of Object.entries(threads))
    answers[`${kind}: push`] = await isPushed(() =>
      world.call(`POST /dm/threads/${id}/chat`, { token: owner.token, body: { body: 'From now on' } }),
    );
  answers['owner: call, push'] = await isPushed(async () => {
    await world.call('DELETE /calls/active', { token: owner.token });
    await world.call('POST /calls', { token: owner.token, body: { to: [{ user_id: viewer?.id }] } });
  });
}

/** Whether the owner's phone receives a text of the viewer, and is rung by their call. */
async function reachPhone(stage: Stage, answers: Answers): Promise<void> {
  const { world, owner, viewer } = stage;
  const { mobile_number } = owner;
  const count = async () => (await world.sent(mobile_number)).length;
  const isReached = async (route: string, body: object): Promise<string> => {
    const before = await count();
    const answer = await world.call(route, { token: viewer?.token, body });
    return answer.status === 401 ? '401' : (await count()) > before ? 'yes' : 'no';
  };
  answers["owner's phone: text"] = await isReached('POST /commands', { text: `text ${mobile_number} hello` });
  const hangUp = () => viewer && world.call('DELETE /calls/active', { token: viewer.token });
  await hangUp();
  answers["owner's phone: call"] = await isReached('POST /calls', { to: [{ phone: mobile_number }] });
  await hangUp();
}

async function actOn(stage: Stage, answers: Answers): Promise<void> {
  const { world, viewer, owner } = stage;
  for (const [kind] of status_kinds) {
    const id = stage.statuses[kind]?.id ?? '';
    const report = { target_type: 'status', target_id: 'ID', reason: 'spam' };
    answers[`${kind}: report`] = cellOf(await requestObject(stage, 'POST /abuse-reports', id, report));
    answers[`${kind}: reply`] = cellOf(await requestObject(stage, 'POST /statuses/ID/replies', id, { body: 'Hello' }));
  }
  for (const [kind, { id, name }] of Object.entries(stage.tags)) {
    const row = (way: string, answer: Answer) => void (answers[`${kind} tag: ${way}`] = cellOf(answer));
    row(
      'report',
      await requestObject(stage, 'POST /abuse-reports', id, { target_type: 'tag', target_id: 'ID', reason: 'spam' }),
    );
    row('comment', await requestObject(stage, 'POST /profiles/ID/comments', name, { body: 'Hello' }));
    row('call', await requestObject(stage, 'POST /calls', name, { to: [{ tag: 'ID' }] }));
    await world.call('DELETE /calls/active', { token: viewer?.token });
    row('follow', await requestObject(stage, 'PUT /xtags/ID/follow', id, {}));
  }
  const report = { target_type: 'user', target_id: 'ID', reason: 'spam' };
  answers['owner: single'] = cellOf(await requestObject(stage, 'GET /people/ID', owner.id));
  answers['owner: report'] = cellOf(await requestObject(stage, 'POST /abuse-reports', owner.id, report));
  answers['owner: call'] = cellOf(await requestObject(stage, 'POST /calls', owner.id, { to: [{ user_id: 'ID' }] }));
}

async function readGroups(stage: Stage, answers: Answers): Promise<void> {
  for (const [kind, { id }] of Object.entries(stage.groups)) {
    answers[`${kind}: single`] = cellOf(await requestObject(stage, 'GET /groups/ID', id));
    const list = await requestObject(stage, 'GET /groups', '');
    answers[`${kind}: own groups`] = isIn(list, (item) => item.id === id);
  }
  const notifications = await requestObject(stage, 'GET /notifications', '');
  answers['joined group: notifications'] = isIn(
    notifications,
    ({ kind, subject }) => kind === 'group_mention' && subject?.id === stage.groups['joined group']?.id,
  );
  const invites = await requestObject(stage, 'GET /group-invites', '');
  answers['invited group: own invites'] = isIn(invites, ({ id }) => id === stage.invite.id);
  answers['invited group: accept'] = cellOf(
    await requestObject(stage, 'POST /group-invites/ID/accept', stage.invite.id, {}),
  );
}

async function readThreads(stage: Stage, answers: Answers): Promise<void> {
  for (const [kind, { id, message_id }] of Object.entries(stage.threads)) {
    const row = (way: string, word: string) => void (answers[`${kind}: ${way}`] = word);
    row('single', cellOf(await requestObject(stage, 'GET /dm/threads/ID', id)));
    const list = await requestObject(stage, 'GET /dm/threads', '');
    row(
      'own threads',
      isIn(list, (item) => item.id === id),
    );
    const own_comments = await requestObject(stage, 'GET /dm/threads/ID/chat', id);
    row(
      'message',
      own_comments.status === 200 ? isIn(own_comments, (item) => item.id === message_id) : cellOf(own_comments),
    );
    const report = { target_type: 'message', target_id: 'ID', reason: 'spam' };
    const found = await requestObject(stage, 'GET /messages/search?q=owner&limit=100', '');
    row(
      'search',
      isIn(found, (item) => item.id === message_id),
    );
    row('report', cellOf(await requestObject(stage, 'POST /abuse-reports', message_id, report)));
    row('write', cellOf(await requestObject(stage, 'POST /dm/threads/ID/chat', id, { body: 'Hello' })));
  }
  answers['owner: message'] = cellOf(await requestObject(stage, 'POST /dm/threads', stage.owner.id, { user_id: 'ID' }));
}

/** Messages in the chats of calls, groups and widgets: as they are read there, and as they are found. */
async function readChats(stage: Stage, answers: Answers): Promise<void> {
  const { past_calls, groups, group_message, widget, owner } = stage;
  const found = await requestObject(stage, 'GET /messages/search?q=owner&all_chats=true&limit=100', '');
  const of_past_calls = Object.entries(past_calls).map(
    ([kind, { conference_id, message_id }]) => [kind, 'GET /call-history/ID/chat', conference_id, message_id] as const,
  );
  for (const [kind, path, id, message_id] of [
    ...of_past_calls,
    ['joined group', 'GET /groups/ID/chat', groups['joined group']?.id ?? '', group_message.id],
    ['widget of a group', 'GET /widgets/ID/chat', widget.id, widget.message_id],
  ] as const) {
    const listed = await requestObject(stage, path, id);
    answers[`${kind}: message`] =
      listed.status === 200 ? isIn(listed, (item) => item.id === message_id) : cellOf(listed);
    answers[`${kind}: search`] = isIn(found, (item) => item.id === message_id);
  }
  for (const [kind, { join_code, message_id }] of Object.entries(past_calls)) {
    const row = (way: string, answer: string) => void (answers[`${kind}: ${way}`] = answer);
    const call = await requestObject(stage, 'GET /calls/ID', join_code);
    const takes_part = call.body.participants?.some(({ user }: Item) => user?.id === owner.id);
    row('participant', call.status === 200 ? (takes_part ? 'yes' : 'no') : cellOf(call));
    const chat = await requestObject(stage, 'GET /calls/ID/chat', join_code);
    row(
      'chat by code',
      isIn(chat, (item) => item.id === message_id),
    );
    const react = `PUT /calls/${join_code}/chat/ID/reaction`;
    row('react', cellOf(await requestObject(stage, react, message_id, { emoji: '👍' })));
  }
}

/** Whether a contact shows who the owner is, and their username finds them, with each setting of who may find them. */
async function readContacts(stage: Stage, answers: Answers): Promise<void> {
  const { world, owner, viewer } = stage;
  const { native } = world.app.services.db;
  // A person whom the groups have made a contact of the owner is to be a stranger again.
  await native.query('delete from contacts where owner_id = $1', [owner.id]);
  const phones = [{ number: owner.mobile_number }];
  const created = await world.call('POST /contacts', { token: viewer?.token, body: { name: 'Owner', phones } });
  // Settings of a suspended or deleted owner can only be written in the database.
  const set_find = `update users set reach = reach || jsonb_build_object('find', $2::text) where id = $1`;
  const set = (word: string) => native.query(set_find, [owner.id, word]);
  const read = async (setting: string) => {
    const answer = await requestObject(stage, `GET /contacts/${created.body.id ?? absent('con_')}`, '');
    answers[`owner: contact, ${setting}`] = answer.status === 200 ? (answer.body.user ? 'yes' : 'no') : cellOf(answer);
    const named = await requestObject(stage, `GET /people?username=${owner.username}`, '');
    answers[`owner: username, ${setting}`] = isIn(named, (item) => item.id === owner.id);
  };
  for (const word of reach_values) {
    await set(word);
    await read(`find ${word}`);
  }
  await native.query(
    `insert into contacts (id, owner_id, name, phones, emails, im, note, favourite, created_at, updated_at)
     values ($1, $2, '', $3, '[]', '[]', '', false, now(), now())`,
    [`con_${no_id}`, owner.id, JSON.stringify([{ label: '', number: viewer?.mobile_number ?? '+14155550100' }])],
  );
  await set('contacts');
  await read('has too');
}

describe('docs/visibility.md', () => {
  it('names every viewer', () => {
    expect(header.slice(2)).toEqual(Object.keys(viewer_relations));
  });

  it.each(Object.keys(viewer_relations))('equals what the viewer "%s" can access', async (name) => {
    const stage = await createStage(name);
    try {
      const answers: Answers = {};
      await readTags(stage, answers);
      await readStatuses(stage, answers);
      await readFiles(stage, answers);
      await readOthers(stage, answers);
      await readGroups(stage, answers);
      await readContacts(stage, answers);
      await readThreads(stage, answers);
      await readChats(stage, answers);
      await receiveEvents(stage, answers);
      await readCalls(stage, answers);
      await receivePushes(stage, answers);
      await reachPhone(stage, answers);
      Object.assign(answers, await readCleared(stage));
      await actOn(stage, answers);
      expect(answers).toEqual(expectedFor(name));
    } finally {
      await stage.world.close();
    }
  });
});
