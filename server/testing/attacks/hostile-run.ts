/** Sends hostile files to a running service, and reports its replies. */
import { execFileSync } from 'node:child_process';
import { randomFrom } from '../../../testing/seed.ts';
import { contact_kinds, createHostileFiles } from '../samples/hostile-files.ts';
import type { RunningPerson } from '../running/running-people.ts';
import type { Service } from '../running/running-service.ts';
import { multipart } from '../samples/upload.ts';

/** What became of many hostile files, and of others' requests meanwhile. */
export type HostileRun = {
  /** How many of each kind were sent. */
  sent: Record<string, number>;
  /** How often each status was returned. */
  statuses: Record<string, number>;
  /** The longest reply time for another account while the files were processed. */
  slowest_ms: number;
  /** What must not occur: a status other than that of a refusal, or a refusal without a named field. */
  unexpected: string[];
};

const accepted = new Set([200, 201]);
/** After how many files the other account sends a request. */
const probe_interval = 5;

/** Memory of a process, in MB. */
export const residentMemory = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

/**
 * Sends `of_each` files of each kind, in turn.
 * @param people each has one upload in progress
 * @param kinds all by default
 * @param innocent sends other requests now and then, while the uploads of the others continue
 */
export async function sendHostileFiles(
  service: Service,
  people: RunningPerson[],
  innocent: RunningPerson,
  { seed, of_each, kinds }: { seed: number; of_each: number; kinds?: string[] | undefined },
): Promise<HostileRun> {
  const run: HostileRun = { sent: {}, statuses: {}, slowest_ms: 0, unexpected: [] };
  const random = randomFrom(seed);
  const all = [...(await createHostileFiles((below) => Math.floor(random() * below)))];
  const files = kinds ? all.filter(([kind]) => kinds.includes(kind)) : all;
  const queue = (function* () {
    for (let round = 0; round < of_each; round++) for (const [kind, make] of files) yield [kind, make()] as const;
  })();
  const probe = async () => {
    const started_ms = performance.now();
    const { status } = await service.call('GET /me', { token: innocent.token });
    run.slowest_ms = Math.max(run.slowest_ms, performance.now() - started_ms);
    if (status !== 200) run.unexpected.push(`GET /me of another: ${status}`);
  };
  let count = 0;
  const send = async (person: RunningPerson) => {
    for (const [kind, bytes] of queue) {
      if (count++ % probe_interval === 0) await probe();
      run.sent[kind] = (run.sent[kind] ?? 0) + 1;
      const { status, fields, retry_after } = await upload(service, person, kind, bytes);
      run.statuses[status] = (run.statuses[status] ?? 0) + 1;
      const is_refused = status === 413 || (status === 422 && 'file' in fields) || (status === 503 && retry_after);
      if (!accepted.has(status) && !is_refused)
        run.unexpected.push(`${kind} ${run.sent[kind]} of seed ${seed} (${bytes.length} bytes): ${status}`);
    }
  };
  await Promise.all(people.map(send));
  return run;
}

async function upload(service: Service, { token }: RunningPerson, kind: string, bytes: Buffer) {
  const { raw, headers } = multipart(bytes, 'file', 'application/octet-stream');
  const path = contact_kinds.includes(kind) ? '/contacts/import/preview' : '/files';
  const response = await fetch(`${service.url}/v1${path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: new Uint8Array(raw),
  });
  const body = (await response.json()) as { error?: { fields?: object } };
  return {
    status: response.status,
    fields: body.error?.fields ?? {},
    retry_after: response.headers.has('retry-after'),
  };
}
