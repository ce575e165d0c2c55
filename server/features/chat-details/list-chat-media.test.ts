import { describe, expect, it } from 'vitest';
import { selectMedia } from './queries.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { firstIdAt } from '../../kernel/id.ts';
import { countRead } from '../../testing/attacks/count-read.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { sendGroupMessage, tryGroupMessage } from '../../testing/steps/group-chats.ts';
import { block } from '../../testing/steps/follows.ts';
import { createGroup, joinGroup, prepareGroup } from '../../testing/steps/groups.ts';
import { openAcceptedThread, tryMessage } from '../../testing/steps/messages.ts';
import type { Persona, Personas } from '../../testing/world/personas.ts';
import type { World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

type Item = { id: string; body: string; files: { kind: string; name?: string }[] };

describe('GET /messages/media', () => {
  let world: World;
  let people: Personas;
  let group: { id: string };
  prepareGroup(
    'Band',
    (given) => {
      ({ world, people, group } = given);
    },
    ['bob', 'carol'],
  );

  const list = ({ token }: Persona, query: string) => world.call(`GET /messages/media?${query}`, { token });
  const items = async (who: Persona, query: string): Promise<Item[]> => {
    const { status, body } = await list(who, query);
    expect([status, body.error]).toEqual([200, undefined]);
    return body.items;
  };
  const bodies = async (who: Persona, query: string) => (await items(who, query)).map(({ body }) => body);
  const uploadText = async ({ token }: Persona, name: string): Promise<{ id: string }> => {
    const upload = multipart(Buffer.from('Eight songs'), name, 'text/plain');
    const { status, body } = await world.call('POST /files', { token, ...upload });
    expect([status, body.error]).toEqual([201, undefined]);
    return body;
  };

  it('has the pictures, files and links of a group, newest first, in pages', async () => {
    const { alice, bob } = people;
    const sent: string[] = [];
    for (let at = 0; at < 3; at++) {
      const { id } = await uploadPicture(world, alice);
      sent.push((await tryGroupMessage(world, group, alice, `Picture ${at}`, { file_id: id })).body.id);
    }
    const songs = await uploadText(bob, 'songs.txt');
    await tryGroupMessage(world, group, bob, 'The songs', { file_id: songs.id });
    await sendGroupMessage(world, group, bob, 'Look: https://example.org/map');
    await sendGroupMessage(world, group, bob, 'Or www.example.org');
    await sendGroupMessage(world, group, bob, 'Nothing to see');
    const of = `group_id=${group.id}`;
    expect((await items(bob, `${of}&kind=media`)).map(({ id }) => id)).toEqual(sent.toReversed());
    const { body: first } = await list(bob, `${of}&kind=media&limit=2`);
    expect([first.items.length, first.has_more]).toEqual([2, true]);
    expect(await bodies(bob, `${of}&kind=media&limit=2&before_id=${sent[1]}`)).toEqual(['Picture 0']);
    expect(await items(alice, `${of}&kind=documents`)).toMatchObject([
      { body: 'The songs', author: { username: 'bob' }, files: [{ kind: 'other', name: 'songs.txt' }] },
    ]);
    expect(await bodies(alice, `${of}&kind=links`)).toEqual(['Or www.example.org', 'Look: https://example.org/map']);
  });

  it('follows edits and deletions', async () => {
    const { alice, bob } = people;
    const picture = await uploadPicture(world, bob);
    const { body: message } = await tryGroupMessage(world, group, bob, 'Look', { file_id: picture.id });
    const of = `group_id=${group.id}`;
    await world.call(`PATCH /groups/${group.id}/chat/${message.id}`, {
      token: bob.token,
      body: { body: 'From https://example.org' },
    });
    expect(await bodies(alice, `${of}&kind=links`)).toEqual(['From https://example.org']);
    await world.call(`DELETE /groups/${group.id}/chat/${message.id}`, { token: bob.token });
    for (const kind of ['media', 'links']) expect(await bodies(alice, `${of}&kind=${kind}`)).toEqual([]);
  });

  it('has those of a thread, each message with only the files of the list', async () => {
    const { alice, bob, carol } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    const media = [(await uploadPicture(world, bob)).id, (await uploadText(bob, 'songs.txt')).id];
    const { body: sent } = await tryMessage(world, thread, bob, 'Both', { media });
    const of = `thread_id=${thread.id}`;
    expect(await items(alice, `${of}&kind=media`)).toMatchObject([{ id: sent.id, files: [{ kind: 'image' }] }]);
    const [documents] = await items(alice, `${of}&kind=documents`);
    expect(documents?.files.map(({ name }) => name)).toEqual(['songs.txt']);
    // A forwarded one is among those of the other chat too.
    const forward = { thread_id: thread.id, message_id: sent.id, file_id: media[0] };
    await tryGroupMessage(world, group, alice, undefined, { forward });
    expect(await bodies(carol, `group_id=${group.id}&kind=media`)).toEqual(['Both']);
    expect((await list(carol, `${of}&kind=media`)).status).toBe(404);
    await world.call(`DELETE /dm/threads/${thread.id}/chat/${sent.id}`, { token: bob.token });
    for (const kind of ['media', 'documents']) expect(await items(alice, `${of}&kind=${kind}`)).toEqual([]);
    await block(world, alice, bob);
    expect((await list(alice, `${of}&kind=media`)).status).toBe(404);
  });

  it('has nothing from before the reader joined, or that a block hides', async () => {
    const { alice, bob, carol } = people;
    await block(world, bob, carol);
    await sendGroupMessage(world, group, carol, 'https://example.org/hidden');
    expect([
      await bodies(bob, `group_id=${group.id}&kind=links`),
      await bodies(alice, `group_id=${group.id}&kind=links`),
    ]).toEqual([[], ['https://example.org/hidden']]);
    const late = await createGroup(world, alice, 'Choir');
    const of = `group_id=${late.id}&kind=links`;
    await sendGroupMessage(world, late, alice, 'https://example.org/early');
    expect((await list(carol, of)).status).toBe(404);
    await joinGroup(world, late, alice, carol);
    expect(await bodies(carol, of)).toEqual([]);
  });

  it('reads neither what has no links nor what is hidden in a row', slow, async () => {
    const { alice, bob, carol } = people;
    await sendGroupMessage(world, group, alice, 'https://example.org/seen');
    const { db } = world.app.services;
    const addMany = async (from: number, body: string, hidden_from: string[]) => {
      await world.clock.advance(2);
      await db.native.query(
        `insert into chat_messages (id, group_id, author_id, kind, body, hidden_from, created_at)
         select $1 || lpad(n::text, 11, '0'), $2, $3, 'text', $4, $5, now() from generate_series($6::int, $6 + 8000) n`,
        [firstIdAt('chat', world.clock.now()).slice(0, 20), group.id, carol.id, body, hidden_from, from],
      );
    };
    await addMany(0, 'Hello', []);
    await addMany(10_000, 'https://example.org/hidden', [bob.id]);
    await db.native.query('analyze chat_messages');
    const viewer = viewerOf({ caller: undefined, now: world.clock.now(), services: world.app.services });
    const read = (one: typeof db) => selectMedia(one, { group_id: group.id }, { ...viewer, id: bob.id }, 'links', {});
    expect((await read(db)).map(({ body }) => body)).toEqual(['https://example.org/seen']);
    expect(await countRead(db, (one) => read(one as typeof db))).toBeLessThan(900);
  });

  it('requires one chat, and a cursor of it', async () => {
    const { alice, bob } = people;
    const thread = await openAcceptedThread(world, alice, bob);
    for (const [query, field] of [
      ['kind=media', 'thread_id'],
      [`kind=media&thread_id=${thread.id}&group_id=${group.id}`, 'group_id'],
      [`kind=media&thread_id=${thread.id}&before_id=chat_${'0'.repeat(26)}`, 'before_id'],
      [`kind=tunes&thread_id=${thread.id}`, 'kind'],
    ] as const) {
      const { status, body } = await list(alice, query);
      expect([status, Object.keys(body.error.fields)]).toEqual([422, [field]]);
    }
  });
});
