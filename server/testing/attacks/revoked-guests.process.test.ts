/** What ends a guest, of a call or of a widget, closes every access path of the guest, on every node, within a second. */
import { expect } from 'vitest';
import { hideContent } from '../../domain/moderation/hide-content.ts';
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { fetchSigned, uploadPicture } from '../samples/media.ts';
import { startCallWithGuest, startOpenCall, requestEntry, decideOnGuest } from '../steps/link-guests.ts';
import { becomeGuest, createWidget, origin, sendWidgetMessage } from '../steps/widgets.ts';
import { ask, startNodes, streamAccessPaths, testRevocations, type AccessPath, type Nodes } from './access-paths.ts';

const motive = { operator: 'olga', reason: 'because' };

type Guest = { token: string; id: string };
type WithGuest = Nodes & { guest: Guest };

const streams = streamAccessPaths<WithGuest>(({ guest }) => guest);

const find = startNodes();

type InCall = WithGuest & { join_code: string; conference_id: string; participant_id: string };

testRevocations<InCall>(find, {
  async prepare(nodes) {
    const { here, alice, bob } = nodes;
    const { guest, ...call } = await startCallWithGuest(here, alice, [bob]);
    return { ...nodes, ...call, guest };
  },
  revocations: {
    'the removal of a guest': ({ here, alice, participant_id }) =>
      ask(here, alice, `DELETE /calls/active/participants/${participant_id}`),
    'the end of their call': ({ here, alice }) => ask(here, alice, 'DELETE /calls/active'),
    'the suspension of their host': ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
  },
  access_paths: {
    ...streams,
    'the call':
      async ({ here, guest, join_code }) =>
      async () =>
        (await ask(here, guest, `GET /calls/${join_code}`)).status === 200,
    'the call on another node':
      async ({ there, guest, join_code }) =>
      async () =>
        (await ask(there, guest, `GET /calls/${join_code}`)).status === 200,
    'its chat on another node':
      async ({ there, guest, join_code }) =>
      async () =>
        (await ask(there, guest, `GET /calls/${join_code}/chat`)).status === 200,
    'a message in its chat':
      async ({ there, guest, join_code }) =>
      async () =>
        (await ask(there, guest, `POST /calls/${join_code}/chat`, { body: 'Hello' })).status === 201,
    'its media': async ({ here, there, guest, join_code }) => {
      const { body } = await ask(here, guest, `POST /calls/${join_code}/sfu-grant`, {});
      return async () => (await there.call('POST /media/admission', { body: { token: body.token } })).status === 204;
    },
    'another grant of its media':
      async ({ there, guest, join_code }) =>
      async () =>
        (await ask(there, guest, `POST /calls/${join_code}/sfu-grant`, {})).status === 200,
    'its room':
      async ({ here, conference_id, participant_id }) =>
      async () => {
        await here.settle();
        return here.rooms.get(conference_id)?.has(participant_id) ?? false;
      },
    'the address of a file in its chat': async ({ here, alice, guest, join_code }) => {
      const file = await uploadPicture(here, alice);
      await ask(here, alice, `POST /calls/${join_code}/chat/media`, { file_id: file.id });
      const { body } = await ask(here, guest, `GET /calls/${join_code}/chat`);
      const { stream_url } = body.items[0].file;
      return async () => (await fetchSigned(here, stream_url)).status === 200;
    },
  },
});

type Waiting = WithGuest & { join_code: string };

testRevocations<Waiting>(find, {
  async prepare(nodes) {
    const { here, alice } = nodes;
    const { join_code } = await startOpenCall(here, alice);
    const { body } = await requestEntry(here, join_code);
    return { ...nodes, join_code, guest: { id: body.guest.id, token: body.token } };
  },
  revocations: {
    'declining a guest': ({ here, alice, join_code, guest }) =>
      decideOnGuest(here, alice, join_code, guest.id, 'decline'),
    'declining all guests': ({ here, alice, join_code }) => ask(here, alice, `DELETE /calls/${join_code}/guests`),
    'no guests any more': ({ here, alice }) => ask(here, alice, 'PATCH /calls/active', { guests: 'off' }),
    'withdrawing the request': ({ here, guest, join_code }) => ask(here, guest, `DELETE /calls/${join_code}/guest`),
    'the end of the call that they wait for': ({ here, alice }) => ask(here, alice, 'DELETE /calls/active'),
  },
  access_paths: streams,
});

type InWidget = WithGuest & { widget: Awaited<ReturnType<typeof createWidget>> };

/** What a guest of a widget reaches. */
const of_widgets: Record<string, AccessPath<InWidget>> = {
  ...streams,
  'its chat':
    async ({ here, guest, widget }) =>
    async () =>
      (await ask(here, guest, `GET /widgets/${widget.id}/chat`)).status === 200,
  'its chat on another node':
    async ({ there, guest, widget }) =>
    async () =>
      (await ask(there, guest, `GET /widgets/${widget.id}/chat`)).status === 200,
  'a message in its chat':
    async ({ there, guest, widget }) =>
    async () =>
      (await ask(there, guest, `POST /widgets/${widget.id}/chat`, { body: 'Hello' })).status === 201,
  'the address of a file in its chat': async ({ here, alice, guest, widget }) => {
    const file = await uploadPicture(here, alice);
    await sendWidgetMessage(here, widget, guest, 'Hello');
    await sendWidgetMessage(here, widget, alice, 'A picture', { guest_id: guest.id, file_id: file.id });
    const { body } = await ask(here, guest, `GET /widgets/${widget.id}/chat`);
    const { stream_url } = body.items[0].file;
    return async () => (await fetchSigned(here, stream_url)).status === 200;
  },
};

testRevocations<InWidget>(find, {
  async prepare(nodes) {
    const { here, alice } = nodes;
    const widget = await createWidget(here, alice, 'shop');
    const { token, guest } = await becomeGuest(here, widget);
    return { ...nodes, widget, guest: { token, id: guest.id } };
  },
  revocations: {
    'switching a widget off': ({ here, alice, widget }) =>
      ask(here, alice, `PATCH /widgets/${widget.id}`, { enabled: false }),
    'deleting a widget': ({ here, alice, widget }) => ask(here, alice, `DELETE /widgets/${widget.id}`),
    'deleting the tag of a widget': ({ here, alice, widget }) => ask(here, alice, `DELETE /xtags/${widget.tag.id}`),
    'hiding the tag of a widget': ({ here, widget }) =>
      hideContent(here.app.services, 'tag', widget.tag.id, 'hide', motive),
    'suspending the owner of a widget': ({ here, alice }) => suspendUser(here.app.services, alice.id, motive),
    'deleting the owner of a widget': ({ here, alice }) => ask(here, alice, 'DELETE /me', { password: alice.password }),
  },
  access_paths: of_widgets,
});

testRevocations<InWidget & { other: { token: string } }>(find, {
  async prepare(nodes) {
    const { here, alice } = nodes;
    const widget = await createWidget(here, alice, 'shop', { allowed_origins: [origin, 'https://fair.example'] });
    const { token, guest } = await becomeGuest(here, widget, 'Gina', 'https://fair.example');
    return { ...nodes, widget, guest: { token, id: guest.id }, other: await becomeGuest(here, widget) };
  },
  revocations: {
    'removing the origin of the page of a guest': async ({ here, there, alice, widget, other }) => {
      await ask(here, alice, `PATCH /widgets/${widget.id}`, { allowed_origins: [origin] });
      // The guests of its other pages stay.
      for (const node of [here, there])
        expect((await ask(node, other, `GET /widgets/${widget.id}/chat`)).status).toBe(200);
      // Allowing it again gives nobody their access back.
      await ask(here, alice, `PATCH /widgets/${widget.id}`, { allowed_origins: [origin, 'https://fair.example'] });
    },
  },
  access_paths: of_widgets,
});
