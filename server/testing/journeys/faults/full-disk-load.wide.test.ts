import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeUnlessMissing } from '../../../../testing/skip.ts';
import { openAcceptedThread, requestAs, signUp, uploadWav, type RunningPerson } from '../../running/running-people.ts';
import { poll, startService, type Service } from '../../running/running-service.ts';
import { missing_small_disk, mountSmallDisk, type SmallDisk } from '../../running/small-disk.ts';

const disk_bytes = 256 * 1024 * 1024;
/** How many times the disk is full; `FILLS=100` is a long run. */
const fills = Number(process.env['FILLS'] ?? 5);
const writers = 6;

type Reply = { status: number; body: unknown };

describeUnlessMissing(missing_small_disk, 'a disk that is full again and again while people write', () => {
  let disk: SmallDisk;
  let service: Service;
  let ada: RunningPerson;
  let ben: RunningPerson;
  let thread_id = '';
  let log = '';

  beforeAll(async () => {
    disk = mountSmallDisk(disk_bytes);
    service = await startService({ folder: disk.folder, environment: { TMPDIR: disk.folder }, is_program: true });
    service.process.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    ada = await signUp(service, 'ada', '+14155550101');
    ben = await signUp(service, 'ben', '+14155550102');
    thread_id = await openAcceptedThread(service, ada, ben);
  });
  afterAll(async () => {
    disk?.free();
    await service?.close();
    disk?.unmount();
  });

  it('refuses with 503, and does once what was repeated until it succeeded', async () => {
    const over = new AbortController();
    const counts = { done: 0, refused: 0 };
    const odd = new Set<string>();
    /** Repeats a request with its key until it succeeds. */
    const persist = (what: string, request: () => Promise<Reply>) =>
      poll(async () => {
        const { status, body } = await request();
        const is_done = status === 200 || status === 201;
        counts[is_done ? 'done' : 'refused'] += 1;
        // The first attempt may still be at work, where the answer to it was refused.
        const is_in_progress = JSON.stringify(body).includes('request_in_progress');
        if (!is_done && status !== 503 && !is_in_progress) odd.add(`${what}: ${status} ${JSON.stringify(body)}`);
        return is_done;
      }, what);
    const sent: string[] = [];
    const write = async (writer: number) => {
      for (let at = 0; !over.signal.aborted; at++) {
        // Long and different each time, so that the tables and the log soon need more space.
        const body = `${writer}.${at}.${randomBytes(400).toString('hex')}`;
        const headers = { 'idempotency-key': randomUUID() };
        const route = `POST /dm/threads/${thread_id}/chat`;
        await persist(route, () => service.call(route, { token: ada.token, body: { body }, headers }));
        sent.push(body);
      }
    };
    let uploaded = 0;
    const uploadFiles = async () => {
      while (!over.signal.aborted) {
        const key = randomUUID();
        await persist('an upload', () => uploadWav(service, ada, key));
        uploaded += 1;
      }
    };
    const read = async () => {
      while (!over.signal.aborted) await persist('GET /home', () => service.call('GET /home', { token: ben.token }));
    };
    const { pid } = service.process;
    const working = [...Array.from({ length: writers }, (_, writer) => write(writer)), uploadFiles(), read()];
    for (let fill = 0; fill < fills; fill++) {
      const refused_before = counts.refused;
      disk.fill();
      await poll(async () => {
        // What was deleted meanwhile, such as an old part of the log, is used too.
        disk.fill();
        return counts.refused >= refused_before + 20;
      }, 'refusals');
      disk.free();
      const done_before = counts.done;
      await poll(async () => counts.done >= done_before + 50, 'requests that succeed');
    }
    over.abort();
    await Promise.all(working);

    expect([...odd]).toEqual([]);
    expect([service.process.pid, service.process.exitCode, service.process.signalCode]).toEqual([pid, null, null]);
    expect(log).not.toContain('an error was left unhandled');
    const stored: string[] = [];
    for (let before_id = ''; ;) {
      const page = await requestAs(service, ben, `GET /dm/threads/${thread_id}/chat?limit=100${before_id}`);
      stored.push(...page.items.map((one: { body: string }) => one.body));
      if (!page.has_more) break;
      before_id = `&before_id=${page.items.at(-1).id}`;
    }
    expect(stored.filter((text) => text.includes('.')).toSorted()).toEqual(sent.toSorted());
    const folder = join(service.data_dir, 'files');
    await poll(
      async () =>
        readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length === uploaded,
      'partial files to be deleted',
    );
  });
});
