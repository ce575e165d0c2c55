/** What the service worker answers with a slow network, without one, and while a page of an earlier build is open. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

interface Shell {
  answerShell(event: { request: object }): Promise<Response> | undefined;
  cacheShell(): Promise<void>;
  dropOldShells(): Promise<void>;
}
// By its address: it is written with the types of a worker, which are not those of tests.
const { answerShell, cacheShell, dropOldShells } = (await import(new URL('shell.ts', import.meta.url).href)) as Shell;

const origin = 'https://asterism.example';
const globals = globalThis as Record<string, unknown>;

/** Caches by name, in the order of their creation, each with texts by path. */
let stored: Map<string, Map<string, string>>;
/** What the network answers, by path. */
let network: (path: string) => Promise<Response>;

const pathOf = (from: string | Request) => new URL(typeof from === 'string' ? from : from.url, origin).pathname;
const respond = (text: string | undefined) => (text === undefined ? undefined : new Response(text));

function openCache(name: string) {
  const files = stored.get(name) ?? new Map<string, string>();
  stored.set(name, files);
  return {
    match: async (from: string) => respond(files.get(pathOf(from))),
    put: async (from: string, response: Response) => void files.set(pathOf(from), await response.text()),
    addAll: async (paths: string[]) => {
      for (const path of paths) files.set(path, await (await network(path)).text());
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map();
  network = async (path) => new Response(`fresh ${path}`);
  vi.stubGlobal('self', { location: { origin } });
  vi.stubGlobal('fetch', (from: string | Request) => network(pathOf(from)));
  vi.stubGlobal('caches', {
    open: async (name: string) => openCache(name),
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    match: async (from: string) =>
      respond([...stored.values()].map((files) => files.get(pathOf(from))).find((text) => text !== undefined)),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Installs a build with one script. */
async function install(name: string): Promise<void> {
  Object.assign(globals, { SHELL_NAME: name, SHELL_FILES: [`/app/assets/page-${name}.js`] });
  await cacheShell();
  await dropOldShells();
}
const ask = async (path: string, mode = 'navigate') => {
  const request = { url: origin + path, method: 'GET', mode };
  const answer = answerShell({ request });
  await vi.advanceTimersByTimeAsync(600);
  return (await answer)?.text();
};

it('answers with the page of the network, and with the cached one when it takes longer than half a second', async () => {
  await install('one');
  network = async (path) => new Response(`newer ${path}`);
  expect(await ask('/app/messages')).toBe('newer /app/messages');
  network = () => new Promise(() => undefined);
  expect(await ask('/app/messages')).toBe('fresh /app/');
});

it('answers with the cached page without a network, and when the service behind a proxy is down', async () => {
  await install('one');
  network = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await ask('/app/calendar')).toBe('fresh /app/');
  network = async () => new Response('Bad gateway', { status: 502 });
  expect(await ask('/app/calendar')).toBe('fresh /app/');
  network = async () => new Response('Gone', { status: 404 });
  expect(await ask('/app/calendar')).toBe('Gone');
});

it('keeps the files of the build before, which an open page may need, and none that are older', async () => {
  for (const name of ['one', 'two', 'three']) await install(name);
  network = async () => new Response('none', { status: 404 });
  const answers = ['one', 'two', 'three'].map((name) => ask(`/app/assets/page-${name}.js`, 'cors'));
  expect(await Promise.all(answers)).toEqual([
    'none',
    'fresh /app/assets/page-two.js',
    'fresh /app/assets/page-three.js',
  ]);
});
