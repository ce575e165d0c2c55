import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../app/app.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { routeOf } from '../../kernel/endpoint.ts';
import { tryBecomeGuest, becomeGuest, grantPlusPlan, createWidget, origin } from '../../testing/steps/widgets.ts';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /widgets/guests', () => {
  let world: World;
  let people: Personas;
  let widget: Awaited<ReturnType<typeof createWidget>>;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    await grantPlusPlan(world, people.alice);
    widget = await createWidget(world, people.alice, 'shop', { allowed_origins: [origin, 'http://localhost:3000'] });
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  it('creates a guest for an hour, for allowed origins only', async () => {
    const { status, body, headers } = await tryBecomeGuest(world, widget.public_key, origin, { name: 'Gina' });
    expect([status, body.guest.name, body.widget_id]).toEqual([201, 'Gina', widget.id]);
    expect(body.guest).not.toHaveProperty('name_is_default');
    const nameless = await tryBecomeGuest(world, widget.public_key, origin);
    expect(nameless.body.guest).toMatchObject({ name: 'Guest', name_is_default: true });
    expect(body.token).toMatch(/^astg_[0-9A-Za-z]{49}$/);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['vary']).toContain('Origin');
    const left_ms = new Date(body.expires_at).getTime() - world.clock.now().getTime();
    expect(Math.abs(left_ms - 3_600_000)).toBeLessThan(2000);
    const { rows } = await world.app.services.db.native.query('select * from guests');
    expect(JSON.stringify(rows)).not.toContain(body.token);
    for (const foreign of [
      'https://evil.example',
      'https://shop.example.evil',
      'http://shop.example',
      'null',
      undefined,
    ]) {
      const refused = await world.call('POST /widgets/guests', {
        body: { public_key: widget.public_key },
        ...(foreign === undefined ? {} : { headers: { origin: foreign } }),
      });
      expect([foreign, refused.status, refused.body.error.code]).toEqual([foreign, 403, 'forbidden']);
      expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    }
    const unknown = await tryBecomeGuest(world, 'no-such-key');
    expect([unknown.status, Object.keys(unknown.body.error.fields)]).toEqual([422, ['public_key']]);
    const follow = await createWidget(world, people.alice, 'button', { kind: 'follow' });
    expect((await tryBecomeGuest(world, follow.public_key)).status).toBe(403);
  });

  it('grants access to chat, calls and stream only', async () => {
    const { token } = await becomeGuest(world, widget);
    const opened_ids: string[] = [];
    for (const endpoint of endpoints) {
      const { method, path } = routeOf(endpoint);
      const at = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (name === 'join_code' ? 'aaa-bbbb-ccc' : 'x'));
      const { status, body } = await world.call(`${method} ${at}`, { token });
      if (endpoint.gate === 'public') continue;
      if (endpoint.gate === 'guest') opened_ids.push(endpoint.id);
      else expect([endpoint.id, status, body.error.code]).toEqual([endpoint.id, 403, 'forbidden']);
    }
    expect(opened_ids.sort()).toEqual([
      'createRealtimeGrant',
      'createSfuGrant',
      'deleteCallChatMessage',
      'deleteWidgetChatMessage',
      'editCallChatMessage',
      'editWidgetChatMessage',
      'endCall',
      'getCall',
      'getCallGuest',
      'leaveCall',
      'listCallChat',
      'listCallChatMessageEdits',
      'listMessageReactions',
      'listWidgetChat',
      'listWidgetChatMessageEdits',
      'postCallChat',
      'postWidgetChat',
      'sendCallReaction',
      'setCallChatReaction',
      'setCallTyping',
      'setHand',
      'setRecordingConsent',
      'setWidgetChatReaction',
      'startCall',
      'withdrawCallGuest',
    ]);
  });

  it('grants no access to another widget', async () => {
    const other = await createWidget(world, people.bob, 'elsewhere');
    const { token } = await becomeGuest(world, widget);
    for (const route of [`GET /widgets/${other.id}/chat`, `POST /widgets/${other.id}/chat`]) {
      const body = route.startsWith('POST') ? { body: 'x' } : undefined;
      expect((await world.call(route, { token, body })).status).toBe(404);
    }
  });

  it('expires after an hour, and when the owner is suspended', async () => {
    const read = (token: string) => world.call(`GET /widgets/${widget.id}/chat`, { token });
    const early = await becomeGuest(world, widget);
    expect((await read(early.token)).status).toBe(200);
    await world.clock.advance(3601);
    expect((await read(early.token)).status).toBe(401);
    const late = await becomeGuest(world, widget);
    expect((await read(late.token)).status).toBe(200);
    await suspendUser(world.app.services, 'alice', { reason: 'test', operator: 'test' } as never);
    expect((await read(late.token)).status).toBe(401);
    expect((await tryBecomeGuest(world, widget.public_key)).status).toBe(403);
  });

  it('is rate limited per address', slow, async () => {
    const other = await createWorld();
    try {
      const mine = await createWidget(other, people.alice, 'shop');
      const createFrom = (web_origin: string) =>
        other.call('POST /widgets/guests', {
          body: { public_key: mine.public_key },
          headers: { origin: web_origin },
          ip: '10.7.7.7',
        });
      const statuses: number[] = [];
      for (let at = 0; at < 31; at++) statuses.push((await createFrom(origin)).status);
      expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([30, 429]);
      // The page can read that it has to wait, and for how long.
      const { headers } = await createFrom(origin);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-expose-headers']).toBe('Retry-After');
    } finally {
      await other.close();
    }
  });
});
