/** Malformed requests: each operation that could receive one rejects it as an error of the client. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../app/app.ts';
import { routeOf, type Endpoint } from '../../../kernel/endpoint.ts';
import { isBodyRequired, takesFile } from '../../../kernel/http/http-body.ts';
import { createTag } from '../../steps/follows.ts';
import { findPersonas, type Personas } from '../../world/personas.ts';
import { createWorld, type World } from '../../world/world.ts';

const type = 'multipart/form-data; boundary=edge';
const file = (name = 'file', content = 'x') =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\n${content}\r\n`;
const field = (name: string, value = '') =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** What is sent, and the expected status. */
const bodies: [title: string, body: string, status: number, content_type?: string][] = [
  ['no boundary in the type', `${file()}--edge--`, 400, 'multipart/form-data'],
  ['an empty boundary', `${file()}--edge--`, 400, 'multipart/form-data; boundary='],
  ['a boundary of 5,000 characters', `${file()}--edge--`, 400, `multipart/form-data; boundary=${'e'.repeat(5000)}`],
  ['nothing at all', '', 400],
  ['garbage', 'garbage', 400],
  ['another boundary', file().replaceAll('edge', 'ridge'), 400],
  ['no end', file().slice(0, -2), 400],
  ['no final boundary', file(), 400],
  ['headers that are cut off', '--edge\r\ncontent-disposition: form-da', 400],
  ['headers that are garbage', '--edge\r\n\0\u0001garbage\r\n\r\nx\r\n--edge--', 400],
  ['a part without a name', '--edge\r\ncontent-disposition: form-data\r\n\r\nx\r\n--edge--', 400],
  ['a part without headers', '--edge\r\n\r\nx\r\n--edge--', 400],
  ['headers without an end', `--edge\r\n${'a: b\r\n'.repeat(5000)}\r\nx\r\n--edge--`, 400],
  ['two files', `${file()}${file()}--edge--`, 400],
  ['too many fields', `${field('f').repeat(20)}${file()}--edge--`, 400],
  ['a file under another name', `${file('picture')}--edge--`, 422],
  ['a field of the prototype', `${field('__proto__', 'x')}${file()}--edge--`, 400],
  ['a field of the constructor', `${field('constructor', 'x')}${file()}--edge--`, 400],
  ['an unknown field', `${field('unknown', 'x')}${file()}--edge--`, 422],
];

/** A path whose identifiers have the right form and belong to nothing. */
function absentPath({ path: schema }: Endpoint, path: string): string {
  const { properties } = (schema ?? { properties: {} }) as unknown as {
    properties: Record<string, { pattern?: string }>;
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const prefix = /^\^([a-z]+)_\[/.exec(properties[name]?.pattern ?? '')?.[1];
    if (prefix) return `${prefix}_${'0'.repeat(26)}`;
    return name === 'join_code' ? 'aaa-bbbb-ccc' : 'nobody';
  });
}

describe('malformed requests', () => {
  let world: World;
  let people: Personas;
  let port: number;
  const path_values: Record<string, string> = { join_code: 'abc-defg-hij', handle: 'bob' };
  beforeAll(async () => {
    world = await createWorld({ environment: { THROTTLE_FACTOR: '1000' } });
    people = findPersonas();
    port = await world.app.listen();
    path_values['xtag_id'] = (await createTag(world, people.alice, 'mine')).id;
    const { token } = people.alice;
    path_values['contact_id'] = (await world.call('POST /contacts', { token, body: { name: 'Zoe' } })).body.id;
  });
  afterAll(() => world.close());

  const uploads = endpoints.filter(takesFile).map((endpoint) => routeOf(endpoint));
  const pathOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path_values[name] ?? '');

  it('are tested with every operation that accepts an upload', () => {
    expect(uploads.length).toBeGreaterThanOrEqual(6);
  });

  it.each(bodies)('multipart with %s is rejected', async (_title, raw, status, content_type = type) => {
    const answers = [];
    for (const { method, path } of uploads) {
      const headers = { 'content-type': content_type };
      const answer = await world.call(`${method} ${pathOf(path)}`, { token: people.alice.token, raw, headers });
      answers.push([path, answer.status, answer.status === 400 ? answer.body.error.code : 'refused']);
    }
    expect(answers).toEqual(uploads.map(({ path }) => [path, status, status === 400 ? 'bad_request' : 'refused']));
  });

  it('for addresses that are not valid return 400 and say so, not that a body is wrong', async () => {
    const { statusCode, body } = await world.app.http.inject('/app/assets/%00');
    expect([statusCode, JSON.parse(body).error.message]).toEqual([400, 'The request is not valid.']);
  });

  it('without a required body return 400', async () => {
    const { token } = people.alice;
    const with_body = endpoints.filter((endpoint) => routeOf(endpoint).method !== 'GET' && isBodyRequired(endpoint));
    expect(with_body.length).toBeGreaterThan(40);
    const answers = [];
    for (const endpoint of with_body) {
      const { method, path } = routeOf(endpoint);
      // Where an identifier must have a form, one that belongs to nothing.
      const { status, body } = await world.call(`${method} ${absentPath(endpoint, path)}`, { token });
      answers.push([endpoint.route, status, body.error.code]);
    }
    expect(answers).toEqual(with_body.map(({ route }) => [route, 400, 'bad_request']));
  });

  it('with bodies, queries and paths that are not UTF-8 return 400', async () => {
    const { token } = people.alice;
    const broken = Buffer.concat([Buffer.from('{"body":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const send = (method: string, path: string, body?: Buffer) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
        const sent = request({ port, host: '127.0.0.1', method, path: `/v1${path}`, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.once('end', () =>
            resolve([response.statusCode, (JSON.parse(text) as { error: { code: string } }).error.code]),
          );
        });
        sent.once('error', reject).end(body);
      });
    const refused = [400, 'bad_request'];
    expect(await send('POST', '/statuses', broken)).toEqual(refused);
    expect(await send('GET', '/xtags/search?q=%ff')).toEqual(refused);
    expect(await send('GET', '/xtags/search?q=%c3%28')).toEqual(refused);
    expect(await send('GET', '/xtags/search?q=%e0%a4%a')).toEqual(refused);
    expect(await send('GET', '/profiles/%ff')).toEqual(refused);
    expect(await send('GET', '/profiles/%')).toEqual(refused);
    expect((await world.call('GET /xtags/search?q=%C3%A4%20', { token })).status).toBe(200);
  });

  it.each(['/w/X', '/l/X', '/t/X', '/t/X/card.png', '/e/X', '/calendar/X', '/j/X', '/i/X', '/map/X/0/0.pbf'])(
    'a page with characters that no identifier has is answered without an error of the service: %s',
    async (path) => {
      for (const odd of [
        '%00',
        'a%00.ics',
        '%0D%0Aset-cookie:a=b',
        '%F0%9F%98%80',
        '..%2F..',
        '%2F%2Fevil.example',
        "'--",
      ]) {
        const { statusCode, headers } = await world.app.http.inject({ url: path.replace('X', odd) });
        expect([odd, statusCode < 500, headers['set-cookie']]).toEqual([odd, true, undefined]);
        if (headers.location !== undefined) expect(headers.location).toMatch(/^\/app\/[!-~]+$/);
      }
    },
  );

  it.each([
    ['PATCH /xtags/search', 'GET, HEAD, OPTIONS'],
    ['DELETE /xtags/search', 'GET, HEAD, OPTIONS'],
    ['PATCH /follow-requests/count', 'GET, HEAD, OPTIONS'],
    ['PATCH /follow-requests/outgoing', 'GET, HEAD, OPTIONS'],
    ['PATCH /inbox/unread-count', 'GET, HEAD, OPTIONS'],
    ['DELETE /notifications/read-all', 'POST, OPTIONS'],
    ['GET /contacts/import', 'POST, OPTIONS'],
    ['GET /dm/threads/unread-count', undefined],
  ])('a method that only a similar path supports returns 405 or 404: %s', async (route, allow) => {
    const { status, headers } = await world.call(route, { token: people.alice.token });
    expect([status, headers['allow']]).toEqual(allow ? [405, allow] : [404, undefined]);
  });
});
