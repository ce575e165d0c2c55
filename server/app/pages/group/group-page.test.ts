import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { uploadPicture } from '../../../testing/samples/media.ts';
import { createGroup, createGroupLink, joinGroup } from '../../../testing/steps/groups.ts';
import { findPersonas, type Personas } from '../../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../../testing/world/world.ts';
import { slow } from '../../../../testing/slow-tests.ts';

describe('/g/{token}', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const get = (url: string, headers: Record<string, string> = {}) => world.app.http.inject({ url, headers });
  /** Creates a group of alice with bob in it. */
  async function createChoir(name: string, fields: object = {}) {
    const { alice, bob } = people;
    const group = await createGroup(world, alice, name, fields);
    await joinGroup(world, group, alice, bob);
    const token = await createGroupLink(world, group, alice);
    const edit = (body: object) => world.call(`PATCH /groups/${group.id}`, { token: alice.token, body });
    const revoke = () => world.call(`DELETE /groups/${group.id}/link`, { token: alice.token });
    return { token, path: `/g/${token}`, edit, revoke };
  }

  it('leads to the client, with a preview that names no member, and escapes all text', async () => {
    const hostile = '"><script>alert(1)</script>&\'';
    const { token, path } = await createChoir(`Choir ${hostile}`, { description: hostile });
    const { statusCode, body, headers } = await get(path);
    expect(statusCode).toBe(200);
    expect(body).not.toContain('<script');
    expect(body).toContain(`<meta http-equiv="refresh" content="0;url=/app/join-group/${token}">`);
    const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;';
    expect(body).toContain(`<meta property="og:title" content="Choir ${escaped}">`);
    expect(body).toContain(`<meta property="og:description" content="${escaped}">`);
    expect(body).toContain(`<meta property="og:image" content="http://asterism.test${path}/card.png">`);
    expect(body).toContain('2 members');
    expect(body).not.toMatch(/\bbob\b/i);
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
    expect((await get(path, { 'accept-language': 'de' })).body).toContain('2 Mitglieder');
  });

  it('leaves a link that was removed to the client, and answers other addresses with 404', async () => {
    const { token, path, revoke } = await createChoir('Choir');
    expect((await revoke()).status).toBe(204);
    const answer = await get(path);
    expect([answer.statusCode, answer.headers['location']]).toEqual([302, `/app/join-group/${token}`]);
    expect((await get(`${path}/picture`)).statusCode).toBe(410);
    expect((await get(`${path}/card.png`)).statusCode).toBe(410);
    expect((await get('/g/no.token')).statusCode).toBe(404);
    expect((await get('/g/no.token/picture')).statusCode).toBe(404);
  });

  it('shows the picture of the group to everybody who has its link, as long as the group has it', async () => {
    const { token, path, edit, revoke } = await createChoir('Choir');
    const shown = async () => (await world.call(`GET /public-links/${token}`)).body.avatar_url;
    expect([await shown(), (await get(`${path}/picture`)).statusCode]).toEqual([null, 404]);
    const { id: avatar_file_id } = await uploadPicture(world, people.alice);
    expect((await edit({ avatar_file_id })).status).toBe(200);
    expect(await shown()).toBe(`http://asterism.test${path}/picture`);
    const { statusCode, headers, rawPayload } = await get(`${path}/picture`);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'private, no-cache',
    ]);
    expect((await sharp(rawPayload).metadata()).format).toBe('webp');
    const again = await get(`${path}/picture`, { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    expect((await get(path)).body).toContain(`<img src="http://asterism.test${path}/picture"`);
    await revoke();
    expect((await get(`${path}/picture`)).statusCode).toBe(410);
  });

  it.each(['Choir', 'A name that is longer than one line of the picture, and than two', 'جوقة 🎶'])(
    'draws the preview of a group that is called “%s”, and another one with its picture',
    slow,
    async (name) => {
      const { path, edit } = await createChoir(name);
      const draw = async () => {
        const { statusCode, headers, rawPayload } = await get(`${path}/card.png`);
        expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
          200,
          'image/png',
          'private, no-cache',
        ]);
        expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 630, format: 'png' });
        return rawPayload;
      };
      const before = await draw();
      const { id: avatar_file_id } = await uploadPicture(world, people.alice);
      await edit({ avatar_file_id });
      const { data, info } = await sharp(await draw())
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      // The middle of the picture, which is red.
      const at = ((104 + 134) * info.width + 88 + 134) * info.channels;
      const [red = 0, green = 0] = data.subarray(at, at + 3);
      expect(red).toBeGreaterThan(200);
      expect(green).toBeLessThan(60);
      expect(before.equals(await draw())).toBe(false);
    },
  );
});
