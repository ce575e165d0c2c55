import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../../testing/world/personas.ts';
import { createWorld, type World } from '../../testing/world/world.ts';

/** More than what a connection buffers. */
const large = Buffer.alloc(2_000_000, 'x');
const multipart = 'multipart/form-data; boundary=limit';

const partOf = (header: string, bytes = large) =>
  Buffer.concat([Buffer.from(`--limit\r\n${header}\r\n\r\n`), bytes, Buffer.from('\r\n--limit--\r\n')]);

describe('a connection on which the body of an upload was refused', () => {
  let world: World;
  let people: Personas;
  let port: number;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
    port = await world.app.listen();
  });
  afterAll(() => world.close());

  it.each<[string, string, Buffer]>([
    ['has no boundary', 'multipart/form-data', partOf('content-disposition: form-data; name="file"; filename="a"')],
    ['has a long boundary', `${multipart}${'x'.repeat(500)}`, large],
    ['has an unknown file', multipart, partOf('content-disposition: form-data; name="photo"; filename="a"')],
    ['has a part without a name', multipart, partOf('content-disposition: form-data; name=""; filename="a"')],
    ['has a reserved name', multipart, partOf('content-disposition: form-data; name="__proto__"; filename="a"')],
    ['has no parts', multipart, large],
    ['has an endless header', multipart, partOf(`x: ${large.toString()}`)],
  ])('answers the next request when it %s', async (_what, content_type, bytes) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (method: string, path: string, body?: Buffer, headers = {}) => {
      const sent = request({
        port,
        host: '127.0.0.1',
        path: `/v1${path}`,
        method,
        agent,
        headers: { ...headers, authorization: `Bearer ${people.alice.token}` },
      });
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      await answer.toArray();
      return { status: answer.statusCode, socket: sent.socket };
    };
    const refused = await send('POST', '/files', bytes, {
      'content-type': content_type,
      'content-length': bytes.length,
    });
    expect([400, 422]).toContain(refused.status);
    const next = await send('GET', '/me');
    expect(next).toMatchObject({ status: 200, socket: refused.socket });
    agent.destroy();
  });
});
