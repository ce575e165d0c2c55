/** A stalled database with open connections: requests get 503, and the service recovers by itself. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAs, password, signUp, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';

/** How long a request may wait, whatever the database does, and how soon the next one is rejected. */
const max_wait_ms = 8_000;
const max_rejection_ms = 500;

describe('a service whose database is stalled', () => {
  let service: Service;
  let ada: RunningPerson;
  beforeAll(async () => {
    service = await startService({ is_program: true });
    ada = await signUp(service, 'ada', '+14155550101');
  });
  afterAll(async () => {
    signal('SIGCONT');
    await service.close();
  });

  /** Sends a signal to the server and to all of its processes. */
  function signal(name: NodeJS.Signals): void {
    const [pid = ''] = readFileSync(join(service.data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const children = execFileSync('ps', ['--ppid', pid, '-o', 'pid='], { encoding: 'utf8' });
    for (const process_id of [pid, ...children.split('\n')])
      if (process_id.trim()) process.kill(Number(process_id), name);
  }

  const timed = async (route: string, body?: object) => {
    const started_ms = performance.now();
    const { status, headers } = await service.call(route, { token: ada.token, body });
    return { status, retry_after: headers.get('retry-after'), after_ms: performance.now() - started_ms };
  };
  const readiness = async () => {
    const started_ms = performance.now();
    const { status } = await fetch(`${service.url}/health/ready`);
    return { status, after_ms: performance.now() - started_ms };
  };

  it('reports not ready within two seconds, returns 503 for requests, and continues when the database does', async () => {
    await requestAs(service, ada, 'POST /contacts', { name: 'Before' });
    signal('SIGSTOP');
    // Sent before the stall is detected.
    const pending = [timed('GET /contacts'), timed('POST /contacts', { name: 'Meanwhile' }), timed('GET /xtags')];
    const ready = await readiness();
    expect(ready.status).toBe(503);
    expect(ready.after_ms).toBeLessThan(2_000);
    for (const { status, retry_after, after_ms } of await Promise.all(pending)) {
      expect([status, retry_after]).toEqual([503, '2']);
      expect(after_ms).toBeLessThan(max_wait_ms);
    }
    for (const next of await Promise.all(Array.from({ length: 20 }, () => timed('GET /contacts')))) {
      expect([next.status, next.retry_after]).toEqual([503, '2']);
      expect(next.after_ms).toBeLessThan(max_rejection_ms);
    }
    expect((await readiness()).after_ms).toBeLessThan(max_rejection_ms);
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    signal('SIGCONT');
    await poll(async () => (await readiness()).status === 200, 'the service to be ready', 10_000);
    const { items } = await requestAs(service, ada, 'GET /contacts');
    expect(items.map(({ name }: { name: string }) => name)).toContain('Before');
    expect((await service.call('POST /contacts', { token: ada.token, body: { name: 'After' } })).status).toBe(201);
    // Jobs continue, too.
    const sent = (await service.caught('ada@example.org')).length;
    expect((await service.call('POST /auth/login', { body: { username: 'ada', password } })).status).toBe(200);
    await poll(async () => (await service.caught('ada@example.org')).length > sent, 'the letter', 20_000);
  });
});
