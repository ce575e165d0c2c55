/** The end of a session closes every access path that it opened, on every node, within a second. */
import { suspendUser } from '../../domain/moderation/suspension.ts';
import { fetchSigned, uploadPicture } from '../samples/media.ts';
import { connectMedia, requestGrants, startCall } from '../steps/calls.ts';
import { newestLinkToken, signInAgain, type Persona } from '../world/personas.ts';
import type { World } from '../world/world.ts';
import { ask, startNodes, streamAccessPaths, testRevocations, type Nodes } from './access-paths.ts';

type Scene = Nodes & { other: Persona; call: { join_code: string; conference_id: string } };

const isKnown = async (world: World, who: { token: string }) => (await ask(world, who, 'GET /me')).status === 200;

testRevocations<Scene>(startNodes(), {
  async prepare(nodes) {
    const { here, alice, bob } = nodes;
    const call = await startCall(here, alice, [bob]);
    await requestGrants(here, call.join_code, alice, bob);
    const other = await signInAgain(here, bob);
    return { ...nodes, other, call };
  },
  revocations: {
    'signing out': ({ here, bob }) => ask(here, bob, 'POST /auth/logout', {}),
    'its end by another session': ({ here, bob, other }) => ask(here, other, `DELETE /auth/sessions/${bob.session_id}`),
    'the end of all sessions': ({ here, other }) => ask(here, other, 'DELETE /auth/sessions'),
    'another password': ({ here, bob, other }) =>
      ask(here, other, 'PUT /me/password', { current_password: bob.password, new_password: 'a brand new meadow' }),
    async 'a reset of the password'({ here, bob }) {
      await here.call('POST /auth/forgot', { body: { identifier: 'bob' } });
      const token = await newestLinkToken(here, bob.email);
      await here.call('POST /auth/reset', { body: { token, password: 'a brand new meadow' } });
    },
    async 'the reuse of a refresh token'({ here, bob: { refresh_token } }) {
      const { body } = await here.call('POST /auth/refresh', { body: { refresh_token } });
      await ask(here, body, 'GET /me');
      await here.call('POST /auth/refresh', { body: { refresh_token } });
    },
    suspension: ({ here, bob }) => suspendUser(here.app.services, bob.id, { operator: 'olga', reason: 'because' }),
    'the deletion of the account': ({ here, bob, other }) => ask(here, other, 'DELETE /me', { password: bob.password }),
  },
  access_paths: {
    'the token':
      async ({ here, bob }) =>
      () =>
        isKnown(here, bob),
    'the token on another node':
      async ({ there, bob }) =>
      () =>
        isKnown(there, bob),
    'the refresh token':
      async ({ there, bob: { refresh_token } }) =>
      async () =>
        (await there.call('POST /auth/refresh', { body: { refresh_token } })).status === 200,
    ...streamAccessPaths<Scene>(({ bob }) => bob),
    'the address of a file': async ({ here, bob }) => {
      const { stream_url } = await uploadPicture(here, bob);
      return async () => (await fetchSigned(here, stream_url)).status === 200;
    },
    'the media of a call': async ({ here, there, bob, call }) => {
      const { body } = await ask(here, bob, `POST /calls/${call.join_code}/sfu-grant`, {});
      return async () => (await there.call('POST /media/admission', { body: { token: body.token } })).status === 204;
    },
    'the room of a call': async ({ here, alice, bob, call }) => {
      await connectMedia(here, call.conference_id, alice, bob);
      return async () => {
        await here.settle();
        return here.rooms.get(call.conference_id)?.has(bob.id) ?? false;
      };
    },
    'a registered device': async ({ here, bob }) => {
      await ask(here, bob, 'POST /push-token', { platform: 'ios', token: 'ab'.repeat(32) });
      return async () => {
        const { rows } = await here.app.services.db.native.query('select 1 from push_tokens where session_id = $1', [
          bob.session_id,
        ]);
        return rows.length > 0;
      };
    },
  },
});
