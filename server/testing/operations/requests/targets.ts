/** Existing objects of each kind that random requests can address. */
import type { Endpoint } from '../../../kernel/endpoint.ts';
import { routeOf } from '../../../kernel/endpoint.ts';
import { event_defaults, createEvent } from '../../steps/calendar.ts';
import { connectMedia, requestGrants, startCall } from '../../steps/calls.ts';
import { sendGroupMessage } from '../../steps/group-chats.ts';
import { comment } from '../../steps/comments.ts';
import { becomeGuest, grantPlusPlan, createWidget, sendWidgetMessage } from '../../steps/widgets.ts';
import { requestFollow, createTag } from '../../steps/follows.ts';
import { joinGroup, createGroup } from '../../steps/groups.ts';
import { uploadPicture } from '../../samples/media.ts';
import { openAcceptedThread, sendMessage } from '../../steps/messages.ts';
import type { Personas } from '../../world/personas.ts';
import { postStatus, replyTo } from '../../steps/statuses.ts';
import { schedule } from '../../steps/scheduled-jobs.ts';
import type { World } from '../../world/world.ts';

/** Objects for one run of random requests. */
export type Targets = {
  /** Identifiers by their prefix, alice's first. */
  ids(prefix: string): string[];
  /** The path of an operation, with identifiers of alice's objects. */
  pathOf(endpoint: Endpoint): string;
};

/** Creates one object of each kind, owned by alice. */
export async function createTargets(world: World, { alice, bob, carol }: Personas): Promise<Targets> {
  await grantPlusPlan(world, alice);
  const tag = await createTag(world, alice, 'target');
  const approval_tag = await createTag(world, alice, 'target-asked', { follow_policy: 'approval' });
  const status = await postStatus(world, alice, 'Hello');
  const group = await createGroup(world, alice, 'Band');
  const contact = await joinGroup(world, group, alice, bob);
  const thread = await openAcceptedThread(world, alice, bob);
  const widget = await createWidget(world, alice, 'target-widget');
  const guest = await becomeGuest(world, widget);
  const call = await startCall(world, alice, [bob]);
  await requestGrants(world, call.join_code, alice, bob);
  await connectMedia(world, call.conference_id, alice, bob);
  const created = [
    tag.id,
    status.id,
    (await replyTo(world, status, bob, 'Yes')).id,
    (await comment(world, tag, bob, 'Good')).id,
    group.id,
    contact.id,
    (await sendGroupMessage(world, group, alice, 'On Friday')).id,
    thread.id,
    (await sendMessage(world, thread, alice, 'Hello')).id,
    (await createEvent(world, alice, event_defaults)).id,
    (await schedule(world, alice, { kind: 'reminder', body: 'Water' })).id,
    (await uploadPicture(world, alice)).id,
    (await requestFollow(world, approval_tag, carol)).id,
    widget.id,
    call.conference_id,
    bob.id,
    alice.session_id,
  ];
  const in_widget = (await sendWidgetMessage(world, widget, guest, 'Hello')).id;
  await world.settle();
  const ids = new Map<string, string[]>();
  for (const id of [...created, ...(await everyId(world))]) {
    const prefix = id.slice(0, id.indexOf('_'));
    ids.set(prefix, [...(ids.get(prefix) ?? []), id]);
  }
  const names: Record<string, string> = {
    xtag: 'target',
    handle: 'bob',
    join_code: call.join_code,
    token: 'no-such-link',
    avatar: `${'0'.repeat(26)}-${'a'.repeat(32)}.webp`,
  };
  return {
    ids: (prefix) => ids.get(prefix) ?? [],
    pathOf: (endpoint) =>
      routeOf(endpoint).path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
        const { properties } = endpoint.path as unknown as { properties: Record<string, { pattern?: string }> };
        const prefix = /^\^([a-z]+)_\[/.exec(properties[name]?.pattern ?? '')?.[1];
        if (!prefix) return names[name] ?? '';
        if (prefix === 'chat' && endpoint.route.includes('/widgets/')) return in_widget;
        return ids.get(prefix)?.[0] ?? `${prefix}_${'0'.repeat(26)}`;
      }),
  };
}

/** The identifiers in the database, as far as a table has few. */
export async function everyId({ app }: World): Promise<string[]> {
  const { native } = app.services.db;
  const { rows: tables } = await native.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'id' and data_type = 'text' or domain_name = 'id' and column_name = 'id'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await native.query<{ id: string }>(`select id from ${name} where id like '%\\_%' limit 100`);
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}
