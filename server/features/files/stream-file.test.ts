import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchSigned, upload, uploadPicture } from '../../testing/samples/media.ts';
import { findPersonas, signInAgain, type Persona, type Personas } from '../../testing/world/personas.ts';
import { becomeGuest, createWidget, sendWidgetMessage } from '../../testing/steps/widgets.ts';
import { createGroup, joinGroup } from '../../testing/steps/groups.ts';
import { sendGroupMessage } from '../../testing/steps/group-chats.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { tone_opus } from '../../testing/samples/recordings.ts';
import { postStatus } from '../../testing/steps/statuses.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

describe('GET /files/{id}/stream', () => {
  let world: World;
  let people: Personas;
  let file: { id: string; stream_url: string };
  /** A hundred bytes whose values are their offsets. */
  const content = Buffer.from(Array.from({ length: 100 }, (_, at) => at));
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
    file = (await upload(world, people.alice, content)).body;
  });
  afterAll(() => world.close());

  it('returns the whole file, cacheable by this viewer only', async () => {
    const { status, headers, bytes } = await fetchSigned(world, file.stream_url);
    expect([status, bytes]).toEqual([200, content]);
    expect(headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': '100' });
    expect(headers['cache-control']).toMatch(/^private/);
    expect(headers['etag']).toMatch(/^"[\w.]+"$/);
  });

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=90-', 90, 99],
    ['bytes=90-1000', 90, 99],
    ['bytes=-1', 99, 99],
    ['bytes=-30', 70, 99],
    ['bytes=-1000', 0, 99],
    ['BYTES=99-99', 99, 99],
  ])('returns the exact bytes for %s', async (range, first, last) => {
    const { status, headers, bytes } = await fetchSigned(world, file.stream_url, { range });
    expect([status, headers['content-range'], headers['content-length']]).toEqual([
      206,
      `bytes ${first}-${last}/100`,
      String(last - first + 1),
    ]);
    expect(bytes).toEqual(content.subarray(first, last + 1));
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])(
    'returns 416 for %s',
    async (range) => {
      const { status, headers, bytes } = await fetchSigned(world, file.stream_url, { range });
      expect([status, headers['content-range']]).toEqual([416, 'bytes */100']);
      expect(JSON.parse(bytes.toString()).error.code).toBe('range_not_satisfiable');
    },
  );

  it.each(['bytes=0-1,5-6', 'bytes=9-3', 'items=0-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=1-2-3'])(
    'returns the whole file for %s',
    async (range) => {
      const { status, headers, bytes } = await fetchSigned(world, file.stream_url, { range });
      expect([status, headers['content-range'], bytes.length]).toEqual([200, undefined, 100]);
    },
  );

  it('supports If-Range, If-None-Match and HEAD', async () => {
    const etag = String((await fetchSigned(world, file.stream_url)).headers['etag']);
    const request = async (headers: Record<string, string>, method = 'GET') => {
      const answer = await fetchSigned(world, file.stream_url, headers, method);
      return [answer.status, answer.bytes.length];
    };
    const range = 'bytes=5-9';
    expect(await request({ range, 'if-range': etag })).toEqual([206, 5]);
    expect(await request({ range, 'if-range': '"another"' })).toEqual([200, 100]);
    expect(await request({ range, 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' })).toEqual([200, 100]);
    expect(await request({ 'if-none-match': `"another", W/${etag}` })).toEqual([304, 0]);
    expect(await request({ 'if-none-match': '*', range })).toEqual([304, 0]);
    expect(await request({ 'if-none-match': '"another"' })).toEqual([200, 100]);
    const head = await fetchSigned(world, file.stream_url, { range }, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, '100']);
    expect([head.headers['etag'], head.headers['content-type']]).toEqual([etag, 'application/octet-stream']);
  });

  it('accepts a bearer token of a viewer who may see the file; returns 401 without one', async () => {
    const { alice, bob } = people;
    const bearer = ({ token }: { token: string }) => world.call(`GET /files/${file.id}/stream`, { token });
    expect([(await bearer(alice)).status, (await bearer(bob)).status]).toEqual([200, 404]);
    const nobody = await world.call(`GET /files/${file.id}/stream`);
    expect([nobody.status, nobody.body.error.code]).toEqual([401, 'unauthenticated']);
  });

  it('rejects a token that was altered or belongs to another file', async () => {
    const url = new URL(file.stream_url);
    const token = url.searchParams.get('token') ?? '';
    const other = await uploadPicture(world, people.alice);
    const request = async (id: string, altered: string) => {
      const { status, body } = await world.call(`GET /files/${id}/stream?token=${encodeURIComponent(altered)}`);
      return [status, body.error?.code];
    };
    const flip = (at: number) => token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
    for (let at = 0; at < token.length; at += 3)
      expect(await request(file.id, flip(at))).toEqual([401, 'token_invalid']);
    for (const invalid of ['', 'x', token.slice(0, -1), `${token}a`, token.replace('main', 'small')])
      expect(await request(file.id, invalid)).toEqual([401, 'token_invalid']);
    expect(await request(other.id, token)).toEqual([401, 'token_invalid']);
  });

  it('rejects an address of a session that has ended, and not those of the other sessions', async () => {
    const { bob } = people;
    const picture = await uploadPicture(world, people.alice, 'teal');
    await postStatus(world, people.alice, 'For all your devices', { media: [picture.id] });
    const sign = async ({ token }: Persona) => {
      const { body } = await world.call(`POST /files/${picture.id}/stream-token`, { token, body: {} });
      return body.stream_url as string;
    };
    const phone = await signInAgain(world, bob);
    const [at_desk, on_phone] = [await sign(bob), await sign(phone)];
    const request = async () => [
      (await fetchSigned(world, at_desk)).status,
      (await fetchSigned(world, on_phone)).status,
    ];
    expect(await request()).toEqual([200, 200]);
    await world.call('POST /auth/logout', { token: phone.token, body: {} });
    expect(await request()).toEqual([200, 401]);
    // Nor can the session be cut off from the address.
    expect((await fetchSigned(world, on_phone.replace(/\.ses_\w+/, ''))).status).toBe(401);
  });

  it('accepts no address of an event that several receive, which names no session of its author', async () => {
    const { alice, bob } = people;
    const media = async () => ({ file_id: (await uploadPicture(world, alice, 'navy')).id });
    const group = await createGroup(world, alice, 'Choir');
    await joinGroup(world, group, alice, bob);
    await sendGroupMessage(world, group, alice, 'Look', await media());
    const widget = await createWidget(world, alice, 'shop');
    const guest = await becomeGuest(world, widget);
    await sendWidgetMessage(world, widget, alice, 'Look', { guest_id: guest.guest.id, ...(await media()) });
    await world.call('POST /videomail/bob', {
      token: alice.token,
      ...multipart(tone_opus, 'message', 'audio/ogg'),
    });
    for (const [id, type] of [
      [bob.id, 'chat.message'],
      [guest.guest.id, 'chat.message'],
      [bob.id, 'inbox.message'],
    ]) {
      const event = (await world.events(`user:${id}`)).find((one) => one.type === type);
      const stream_url: string = event?.data.message.file.stream_url;
      expect(stream_url).not.toContain('ses_');
      expect((await fetchSigned(world, stream_url)).status).toBe(404);
    }
  });

  it('returns 404 if the viewer is suspended or deleted, or the file is no longer attached', async () => {
    const { alice, carol } = people;
    const image = await uploadPicture(world, alice, 'gold');
    const status = await postStatus(world, alice, 'For a while', { media: [image.id] });
    const address = await world.call(`POST /files/${image.id}/stream-token`, { token: carol.token, body: {} });
    const request = async () => (await fetchSigned(world, address.body.stream_url)).status;
    const { db } = world.app.services;
    expect(await request()).toBe(200);
    for (const column of ['suspended_at', 'deleted_at']) {
      await db.native.query(`update users set ${column} = now() where id = $1`, [carol.id]);
      expect(await request()).toBe(404);
      await db.native.query(`update users set ${column} = null where id = $1`, [carol.id]);
    }
    expect(await request()).toBe(200);
    await world.call(`DELETE /statuses/${status.id}`, { token: alice.token });
    expect(await request()).toBe(404);
  });
});
