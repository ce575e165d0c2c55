/** The examples of docs/api.md, sent unchanged. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPersonas, type Personas } from '../world/personas.ts';
import { createWorld, type World } from '../world/world.ts';

type Example = { route: string; token: string | undefined; headers: Record<string, string>; body: unknown };

/** What later examples use of an earlier reply, by the route of that reply. */
type Reply = {
  id: string;
  cursor?: string;
  join_code?: string;
  request?: { id: string };
  public_key?: string;
  token?: string;
  url?: string;
  guest?: { id: string };
};
const placeholders: Record<string, (body: Reply) => Record<string, string>> = {
  'POST /calls': ({ join_code = '' }) => ({ $CODE: join_code }),
  'POST /calls/{id}/guests': ({ guest }) => ({ $ASKED: guest?.id ?? '' }),
  'POST /contacts': ({ id }) => ({ $CONTACT: id }),
  'POST /xtags': ({ id }) => ({ $TAG: id }),
  'PUT /xtags/{id}/room': ({ join_code = '' }) => ({ $ROOM: join_code }),
  'PUT /xtags/{id}/follow': ({ request }) => ({ $REQUEST: request?.id ?? '' }),
  'POST /dm/threads': ({ id }) => ({ $THREAD: id }),
  'POST /dm/threads/{id}/chat': ({ id }) => ({ $MESSAGE: id }),
  'POST /groups': ({ id }) => ({ $GROUP: id }),
  'PUT /groups/{id}/link': ({ url = '' }) => ({ $JOIN: url.split('/').at(-1) ?? '' }),
  'POST /groups/{id}/chat': ({ id }) => ({ $WRITTEN: id }),
  'POST /widgets': ({ id, public_key = '' }) => ({ $WIDGET: id, $KEY: public_key }),
  'POST /widgets/guests': ({ token = '', guest }) => ({ $GUEST: token, $GINA: guest?.id ?? '' }),
  'POST /scheduled-jobs': ({ id }) => ({ $JOB: id }),
  'POST /calendar/events': ({ id }) => ({ $EVENT: id }),
  'GET /calendar/sync': ({ cursor = '' }) => ({ $CURSOR: cursor }),
  'POST /invites': ({ id }) => ({ $INVITE: id }),
  'POST /statuses': ({ id }) => ({ $STATUS: id }),
};

describe('the API guide', () => {
  let world: World;
  let people: Personas;
  beforeAll(async () => {
    world = await createWorld();
    people = findPersonas();
  });
  afterAll(() => world.close());

  const guide = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'api.md'), 'utf8');
  const examples = [...guide.matchAll(/```http\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  function parse(text: string): Example {
    const [head = '', ...rest] = text.split('\n\n');
    const [first = '', ...lines] = head.trim().split('\n');
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
    const { authorization, ...others } = headers;
    const [method, path = ''] = first.split(' ');
    const body = rest.join('\n').trim();
    return {
      route: `${method} ${path.replace(/^\/v1/, '')}`,
      token: authorization?.replace('Bearer ', ''),
      headers: others,
      body: body ? JSON.parse(body) : undefined,
    };
  }

  it('contains only examples that succeed', async () => {
    expect(examples.length).toBeGreaterThan(10);
    const { alice, bob } = people;
    const inSeconds = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1000).toISOString();
    const values: Record<string, string> = {
      $ALICE: alice.token,
      $BOB_ID: bob.id,
      $BOB: bob.token,
      $TOMORROW: inSeconds(86_400),
      $SOON: inSeconds(3600),
      $NOW: inSeconds(0),
    };
    for (const example of examples) {
      const filled = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), example);
      expect(filled).not.toMatch(/\$[A-Z]/);
      const { route, token, headers, body } = parse(filled);
      const answer = await world.call(route, { ...(token ? { token } : {}), headers, body });
      expect([route, answer.status < 300]).toEqual([route, true]);
      const shape = route
        .replace(/(tag|freq|post|thr|grp|wid)_\w+|[a-z]{3}-[a-z]{4}-[a-z]{3}/, '{id}')
        .replace(/\?.*/, '');
      Object.assign(values, placeholders[shape]?.(answer.body));
      if (shape === 'GET /feed') expect(answer.body.items[0].body).toBe('Tonight at nine, @bob');
      if (shape === 'GET /notifications') expect(answer.body.items[0].text).toBe('bob replied to your post');
      if (shape === 'GET /call-history') expect(answer.body.items[0].direction).toBe('incoming');
      if (shape === 'GET /dm/threads') expect(answer.body.items[0].peer.username).toBe('alice');
      if (shape === 'GET /dm/unread-count') expect(answer.body).toEqual({ count: 0, pending: 0 });
      if (shape === 'GET /profiles/jazz') expect(answer.body.tag.name).toBe('jazz');
    }
  });
});
