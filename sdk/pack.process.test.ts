/** The package as its users get it: packed, installed without a network, type-checked, and run as its README shows. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { password, signUp, type RunningPerson } from '../server/testing/running/running-people.ts';
import { poll, startService, type Service } from '../server/testing/running/running-service.ts';

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const compiler_options = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom'],
  strict: true,
  exactOptionalPropertyTypes: true,
  types: [],
  skipLibCheck: false,
};

let folder: string;
let service: Service;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'asterism-pack-'));
  service = await startService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command to completion. @returns its output @throws its output when it fails */
function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Packs the SDK, installs it without a network, and writes the README's example to a file. */
function installExample(): void {
  run('npm', ['pack', '--pack-destination', folder], import.meta.dirname);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), '{"name":"reader","private":true,"type":"module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
  const example = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(import.meta.dirname, 'README.md'), 'utf8'))?.[1] ?? '';
  writeFileSync(join(folder, 'example.ts'), example);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: compiler_options, files: ['example.ts'] }),
  );
}

/** Runs the example as a separate process that prompts for its code on the console. @returns its output */
async function runExample(person: RunningPerson, answer: (status_id: string) => Promise<void>): Promise<string> {
  writeFileSync(
    join(folder, 'run.js'),
    `import { sayHello } from './example.js';
const [url, username, password] = process.argv.slice(2);
const known = new Set((await outbox()).map(({ id }) => id));
async function outbox() {
  return (await (await fetch(url + '/console/outbox?to=' + username + '@example.org')).json()).items;
}
async function askCode() {
  for (let tries = 0; tries < 200; tries += 1) {
    const code = (await outbox()).find(({ id, code }) => code && !known.has(id))?.code;
    if (code) return code;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('no code');
}
console.log(await sayHello(url + '/v1', { username, password }, askCode));`,
  );
  const program = spawn(process.execPath, ['run.js', service.url, person.username, password], { cwd: folder });
  let [output, errors] = ['', ''];
  program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  program.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => program.once('exit', resolve));
  const example_status_id = await poll(async () => {
    if (program.exitCode !== null) throw new Error(`the example has ended: ${errors}`);
    const { body } = await service.call('GET /statuses', { token: person.token });
    return body.items[0]?.id as string | undefined;
  }, 'the status of the example');
  await answer(example_status_id);
  expect(await ended, errors).toBe(0);
  return output;
}

it('is packed with types and without dependencies, and the example of its README works', async () => {
  installExample();
  expect(readdirSync(join(folder, 'node_modules'))).toEqual(['.package-lock.json', '@asterism']);
  const files = readdirSync(join(folder, 'node_modules', '@asterism', 'sdk'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name))).toEqual([]);
  run(bin('tsc'), ['-p', folder], folder);
  writeFileSync(join(folder, 'example.ts'), `${readFileSync(join(folder, 'example.ts'), 'utf8')}\nsayHello(1);`);
  expect(() => run(bin('tsc'), ['-p', folder, '--noEmit'], folder)).toThrow('TS2554');

  const reader = await signUp(service, 'reader', '+14155550141');
  const writer = await signUp(service, 'writer', '+14155550142');
  await service.call('POST /xtags', { token: writer.token, body: { name: 'jazz' } });
  const output = await runExample(reader, async (id) => {
    const { status } = await service.call(`POST /statuses/${id}/replies`, {
      token: writer.token,
      body: { body: 'Hello yourself' },
    });
    expect(status).toBe(201);
  });
  expect(output.trim()).toBe('writer: Hello yourself');
  const { body } = await service.call('GET /follows', { token: reader.token });
  expect(body.items.map(({ tag }: { tag: { name: string } }) => tag.name)).toEqual(['jazz']);
});
