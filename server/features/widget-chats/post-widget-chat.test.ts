import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  becomeGuest,
  createWidget,
  readWidget,
  sendWidgetMessage,
  tryWidgetMessage,
} from '../../testing/steps/widgets.ts';
import { startBudgetWindow } from '../../testing/world/budget-windows.ts';
import { joinGroup, createGroup } from '../../testing/steps/groups.ts';
import { sessionClock, findPersonas, type Personas } from '../../testing/world/personas.ts';
import { multipart } from '../../testing/samples/upload.ts';
import { restoreBeforeEach } from '../../testing/world/restore-world.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('POST /widgets/{widget_id}/chat', () => {
  let world: World;
  let people: Personas;
  let widget: Awaited<ReturnType<typeof createWidget>>;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    const group = await createGroup(world, people.alice, 'Staff');
    await joinGroup(world, group, people.alice, people.bob);
    widget = await createWidget(world, people.alice, 'shop', { group_id: group.id });
  });
  afterAll(() => world.close());
  restoreBeforeEach(() => world);

  const lastMessageOf = async (id: string) =>
    (await world.events(id)).filter(({ type }) => type === 'chat.message').at(-1);

  it('is one conversation per guest with those who serve the widget, plus notices to all guests', async () => {
    const { alice, bob, carol } = people;
    const [gina, hugo] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')];
    const question = await sendWidgetMessage(world, widget, gina, 'Are you open?');
    expect(question).toMatchObject({
      kind: 'text',
      author: { user: null, guest: { id: gina.guest.id, name: 'Gina' } },
    });
    const expected_event = {
      type: 'chat.message',
      data: { widget_id: widget.id, guest_id: gina.guest.id, message: question },
    };
    for (const topic of [`user:${alice.id}`, `user:${bob.id}`, `user:${gina.guest.id}`])
      expect(await lastMessageOf(topic)).toEqual(expected_event);
    const answer = await sendWidgetMessage(world, widget, bob, 'Until six.', {
      guest_id: gina.guest.id,
      reply_to: question.id,
    });
    expect(answer).toMatchObject({ author: { user: { username: 'bob' }, guest: null }, reply_to: question.id });
    expect((await lastMessageOf(`user:${gina.guest.id}`))?.data.message.id).toBe(answer.id);
    const notice = await sendWidgetMessage(world, widget, alice, 'Closed tomorrow.');
    expect(await lastMessageOf(`session:${widget.id}`)).toEqual({
      type: 'chat.message',
      data: { widget_id: widget.id, message: notice },
    });
    const texts = async (who: { token: string }, query = '') =>
      (await readWidget(world, widget, who, query)).map(({ body }: { body: string }) => body);
    expect(await texts(gina)).toEqual(['Closed tomorrow.', 'Until six.', 'Are you open?']);
    expect(await texts(hugo)).toEqual(['Closed tomorrow.']);
    await sendWidgetMessage(world, widget, hugo, 'Hello');
    expect(await texts(alice)).toEqual(['Hello', 'Closed tomorrow.', 'Until six.', 'Are you open?']);
    expect(await texts(bob, `?guest_id=${hugo.guest.id}`)).toEqual(['Hello', 'Closed tomorrow.']);
    expect((await tryWidgetMessage(world, widget, carol, 'May I?')).status).toBe(404);
    expect((await lastMessageOf(`user:${gina.guest.id}`))?.data.message.body).toBe('Until six.');
  });

  it('rejects a guest, a reply or a file of another conversation', async () => {
    const { alice, bob } = people;
    const [gina, hugo] = [await becomeGuest(world, widget), await becomeGuest(world, widget, 'Hugo')];
    const theirs = await sendWidgetMessage(world, widget, hugo, 'Mine');
    const fieldsOf = async (who: { token: string }, more: object) => {
      const { status, body } = await tryWidgetMessage(world, widget, who, 'x', more);
      return [status, Object.keys(body.error.fields)];
    };
    expect(await fieldsOf(gina, { guest_id: hugo.guest.id })).toEqual([422, ['guest_id']]);
    expect(await fieldsOf(gina, { reply_to: theirs.id })).toEqual([422, ['reply_to']]);
    expect(await fieldsOf(alice, { guest_id: `gst_${'0'.repeat(26)}` })).toEqual([422, ['guest_id']]);
    const photo = await sharp({ create: { width: 6, height: 4, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const { body: file } = await world.call('POST /files', { token: bob.token, ...multipart(photo) });
    expect(await fieldsOf(gina, { file_id: file.id })).toEqual([422, ['file_id']]);
    const sent = await sendWidgetMessage(world, widget, bob, 'Look', { guest_id: gina.guest.id, file_id: file.id });
    expect(sent.kind).toBe('media');
    const [seen] = await readWidget(world, widget, gina);
    const url = new URL(seen.file.stream_url);
    const stream = () => world.call(`GET ${url.pathname.slice(3)}${url.search}`);
    expect((await stream()).status).toBe(200);
    const outside = await world.call(`POST /files/${file.id}/stream-token`, { token: people.carol.token, body: {} });
    expect(outside.status).toBe(404);
  });

  it('creates one message per idempotency key, and limits the rate per guest', async () => {
    const gina = await becomeGuest(world, widget);
    const send = () =>
      world.call(`POST /widgets/${widget.id}/chat`, {
        token: gina.token,
        body: { body: 'Once' },
        headers: { 'idempotency-key': 'one' },
      });
    expect((await send()).body).toEqual((await send()).body);
    const own = async () =>
      (await readWidget(world, widget, gina)).filter(({ body }: { body: string }) => body === 'Once');
    expect(await own()).toHaveLength(1);
    const statuses = new Set<number>();
    for (let at = 0; at < 61; at++) statuses.add((await tryWidgetMessage(world, widget, gina, 'x')).status);
    expect([...statuses]).toEqual([201, 429]);
  });

  it('limits the number of messages from all guests of one address', slow, async () => {
    await startBudgetWindow(sessionClock(world));
    const ip = '198.51.100.7';
    const write = ({ token }: { token: string }, from: string) =>
      world.call(`POST /widgets/${widget.id}/chat`, { token, body: { body: 'x' }, ip: from });
    const statuses = [];
    for (let guest = 0; guest < 4; guest++) {
      const sender = await becomeGuest(world, widget, `Guest ${guest}`);
      for (let at = 0; at < 25; at++) statuses.push((await write(sender, ip)).status);
    }
    expect(statuses).toEqual([...Array<number>(90).fill(201), ...Array<number>(10).fill(429)]);
    expect((await write(await becomeGuest(world, widget), '198.51.100.8')).status).toBe(201);
  });
});
