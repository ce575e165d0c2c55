import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { requestGrants, startCall } from '../../testing/steps/calls.ts';
import { uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, sessionClock, type Persona, type Personas } from '../../testing/world/personas.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /calls/{join_code}/chat/media', () => {
  let world: World;
  let people: Personas;
  let photo: Buffer;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const send = ({ token }: Persona, join_code: string) =>
    world.call(`POST /calls/${join_code}/chat/media`, { token, ...multipart(photo) });
  const filesOf = async () => (await world.app.services.db.native.query('select id from files')).rowCount;

  it('sends an image that only participants of the call can open', slow, async () => {
    const { alice, bob, carol } = people;
    const call = await startCall(world, alice, [bob]);
    await requestGrants(world, call.join_code, bob);
    const { status, body } = await send(bob, call.join_code);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'media',
      body: '',
      author: { user: { username: 'bob' } },
      file: { kind: 'image', width: 60 },
    });
    const { body: list } = await world.call(`GET /calls/${call.join_code}/chat`, { token: alice.token });
    expect(list.items).toMatchObject([{ id: body.id, file: { id: body.file.id } }]);
    const event = (await world.events(`user:${alice.id}`)).at(-1);
    expect([event?.type, event?.data.message.file.id]).toEqual(['chat.message', body.file.id]);
    const open = ({ token }: Persona) => world.call(`POST /files/${body.file.id}/stream-token`, { token, body: {} });
    expect([(await open(alice)).status, (await open(bob)).status, (await open(carol)).status]).toEqual([200, 200, 404]);
  });

  it('sends one of the own files by its identifier, and refuses others', async () => {
    const { alice, bob } = people;
    const call = await startCall(world, alice, [bob]);
    const sendById = (file_id: string, more: object = {}) =>
      world.call(`POST /calls/${call.join_code}/chat/media`, { token: alice.token, body: { file_id, ...more } });
    const mine = await uploadPicture(world, alice);
    const { status, body } = await sendById(mine.id, { body: 'Look' });
    expect([status, body.kind, body.body, body.file.id]).toEqual([201, 'media', 'Look', mine.id]);
    for (const id of [(await uploadPicture(world, bob)).id, `file_${'0'.repeat(26)}`]) {
      const refused = await sendById(id);
      expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([422, ['file_id']]);
    }
    const nothing = await world.call(`POST /calls/${call.join_code}/chat/media`, { token: alice.token, body: {} });
    expect([nothing.status, Object.keys(nothing.body.error.fields)]).toEqual([422, ['file_id']]);
  });

  it('returns 404 to those outside of the call and stores no file; rejects an empty file with 422', async () => {
    const { alice, bob, carol } = people;
    await world.call('DELETE /calls/active', { token: alice.token });
    const call = await startCall(world, alice, [bob]);
    const before = await filesOf();
    expect((await send(carol, call.join_code)).status).toBe(404);
    expect((await send(bob, call.join_code)).status).toBe(404);
    expect(await filesOf()).toBe(before);
    const empty = await world.call(`POST /calls/${call.join_code}/chat/media`, {
      token: alice.token,
      ...multipart(Buffer.alloc(0)),
    });
    expect([empty.status, Object.keys(empty.body.error.fields)]).toEqual([422, ['file']]);
  });

  it('shares the budget of messages in calls', async () => {
    const { alice } = people;
    await world.call('DELETE /calls/active', { token: alice.token });
    const { join_code } = await startCall(world, alice, []);
    await startBudgetWindow(sessionClock(world));
    const { headers } = await send(alice, join_code);
    expect([headers['ratelimit-policy'], headers['ratelimit']]).toEqual([
      '"call_chat";q=240;w=60',
      '"call_chat";r=239;t=60',
    ]);
  });
});
