import { once } from 'node:events';
import { get } from 'node:http';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { slow } from '../../../../testing/slow-tests.ts';
import { default_limits } from '../../load/limits.ts';
import { listen } from './http-listen.ts';

const clients = 100;
/** What a request costs, so that clients come faster than they are accepted. */
const busy_ms = 1;

describe('a server that accepts no more connections', () => {
  it('has answered those that were queued, however many clients keep coming', slow, async () => {
    const http = Fastify();
    http.get('/', () => {
      for (const end_ms = performance.now() + busy_ms; performance.now() < end_ms;);
      return 'answered';
    });
    const log = { error: () => undefined } as never;
    const listening = await listen(http, { host: '127.0.0.1', port: 0 }, default_limits, log);
    const ends: string[] = [];
    let answered = 0;
    /** One request after the other, each over a connection of its own, until the server refuses one. */
    const keepAsking = async () => {
      for (let end: string | undefined; end !== 'ECONNREFUSED';) {
        const asked = get({ host: '127.0.0.1', port: listening.port, agent: false });
        end = await once(asked, 'response').then(
          async ([response]) => {
            await once(response.resume(), 'end');
            answered += 1;
            return undefined;
          },
          ({ code, message }: { code?: string; message: string }) => code ?? message,
        );
        if (end) ends.push(end);
      }
    };
    const asking = Array.from({ length: clients }, keepAsking);
    await expect.poll(() => answered).toBeGreaterThan(clients);
    await listening.close();
    await Promise.all(asking);
    await http.close();
    expect(ends).toEqual(Array(clients).fill('ECONNREFUSED'));
  });
});
