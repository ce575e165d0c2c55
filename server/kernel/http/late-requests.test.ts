import { request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, signInAgain, type Persona, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';
import { sql } from '../database/database.ts';

describe('a request whose session ends while it is being sent', () => {
  let world: World;
  let people: Personas;
  let port: number;
  beforeAll(async () => {
    // The session is checked again however fast the machine is.
    world = await createWorld({ limits: { admission_ms: 0 } });
    people = findPersonas();
    port = await world.app.listen();
  });
  afterAll(() => world.close());

  /** Sends the headers of a request; resolves when the service has admitted it. */
  async function open(route: string, { token }: Persona, headers: Record<string, string>): Promise<ClientRequest> {
    const [method, path = ''] = route.split(' ');
    expect((await world.call('GET /me', { token })).status).toBe(200);
    const sent = sendRequest({
      port,
      host: '127.0.0.1',
      method,
      path: `/v1${path}`,
      headers: { authorization: `Bearer ${token}`, ...headers, expect: '100-continue' },
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    return sent;
  }

  async function finish(sent: ClientRequest, rest: string): Promise<{ status: number | undefined; code: string }> {
    const answered = once(sent, 'response');
    sent.end(rest);
    const [response] = (await answered) as [IncomingMessage];
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString());
    return { status: response.statusCode, code: body.error?.code ?? 'done' };
  }

  const signOut = (device: Persona) =>
    world.call(`DELETE /auth/sessions/${device.session_id}`, { token: people.alice.token });

  it('has no effect, and is refused like one with a revoked token', async () => {
    const device = await signInAgain(world, people.alice);
    const body = JSON.stringify({ body: 'written by a thief' });
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const sent = await open('POST /statuses', device, headers);
    sent.write(body.slice(0, 5));
    expect((await signOut(device)).status).toBe(204);
    expect(await finish(sent, body.slice(5))).toEqual({ status: 401, code: 'token_invalid' });
    const { db } = world.app.services;
    expect(await db.run(sql`select 1 from statuses where body = 'written by a thief'`)).toBe(0);
  });

  it('stores no file', async () => {
    const device = await signInAgain(world, people.alice);
    const [head, tail] = [
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nkept',
      ' secret\r\n--b--\r\n',
    ];
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(head.length + tail.length),
    };
    const sent = await open('POST /files', device, headers);
    sent.write(head);
    expect((await signOut(device)).status).toBe(204);
    expect(await finish(sent, tail)).toEqual({ status: 401, code: 'token_invalid' });
    const { db } = world.app.services;
    expect(await db.run(sql`select 1 from files where owner_id = ${device.id}`)).toBe(0);
  });

  it('is carried out while the session lasts, even if its token was replaced meanwhile', async () => {
    const device = await signInAgain(world, people.alice);
    const body = JSON.stringify({ body: 'written slowly' });
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const sent = await open('POST /statuses', device, headers);
    sent.write(body.slice(0, 5));
    const { refresh_token } = device;
    const { token } = (await world.call('POST /auth/refresh', { body: { refresh_token } })).body;
    expect((await world.call('GET /me', { token })).status).toBe(200);
    expect((await world.call('GET /me', { token: device.token })).status).toBe(401);
    expect(await finish(sent, body.slice(5))).toEqual({ status: 201, code: 'done' });
  });
});
