/** Revocations and the access paths that they close: an access path is open before a revocation, and closed within a second of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redeemGrant } from '../../kernel/security/grant.ts';
import { openSocket, openSse } from '../running/realtime-receivers.ts';
import { poll } from '../running/running-service.ts';
import { findPersonas, type Personas } from '../world/personas.ts';
import { createWorld, openNode, type World } from '../world/world.ts';
import { readRows, restoreRows, type StoredRows } from '../world/stored-rows.ts';

/** Two nodes of a service on one database and one bus, with their addresses, and the people. */
export type Nodes = Personas & { here: World; there: World; url_here: string; url_there: string };

/** Opens an access path; the result tells whether it is open at the moment. */
export type AccessPath<Scene> = (scene: Scene) => Promise<() => boolean | Promise<boolean>>;

/** What is revoked, and what it closes, by name. */
export type Revocations<Scene> = {
  prepare(nodes: Nodes): Promise<Scene>;
  revocations: Record<string, (scene: Scene) => Promise<unknown>>;
  access_paths: Record<string, AccessPath<Scene>>;
  /** Access paths that a revocation is not to close, by its name. */
  open?: Record<string, string[]>;
};

/** One request, in process. */
export const ask = (world: World, { token }: { token: string }, route: string, body?: object) =>
  world.call(route, { token, body });

/** Every way to the stream of events for the account that `who` selects, and a grant that has not been used yet. */
export function streamAccessPaths<Scene extends Nodes>(
  who: (scene: Scene) => { token: string },
): Record<string, AccessPath<Scene>> {
  const grantOf = async (scene: Scene) =>
    (await ask(scene.there, who(scene), 'POST /realtime/grant', {})).body.token as string;
  const until =
    (open: (scene: Scene) => Promise<{ closed: Promise<unknown> }>): AccessPath<Scene> =>
    async (scene) => {
      let is_open = true;
      const { closed } = await open(scene);
      void closed.then(() => (is_open = false));
      return () => is_open;
    };
  const socketAt = (url: (scene: Scene) => string) =>
    until(async (scene) =>
      openSocket({ url: `${url(scene).replace('http', 'ws')}/realtime/socket`, token: await grantOf(scene) }),
    );
  return {
    'a websocket': socketAt(({ url_here }) => url_here),
    'a websocket on another node': socketAt(({ url_there }) => url_there),
    'a stream on another node': until(async (scene) =>
      openSse(`${scene.url_there}/realtime/stream`, await grantOf(scene)),
    ),
    'an unused grant of a stream': async (scene) => {
      let token = await grantOf(scene);
      return async () => {
        const is_open = (await redeemGrant(scene.there.app.services, token, () => undefined)) !== undefined;
        // A grant is valid once.
        if (is_open) token = await grantOf(scene);
        return is_open;
      };
    },
  };
}

const limit_ms = 1000;

/** Whether it becomes true within a second. */
async function happens(check: () => boolean | Promise<boolean>): Promise<boolean> {
  const end_ms = performance.now() + limit_ms;
  while (!(await check())) {
    if (performance.now() > end_ms) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

async function restore({ here, there }: Nodes, rows: StoredRows): Promise<void> {
  const client = await here.app.services.db.native.connect();
  await restoreRows(client, rows).finally(() => client.release());
  for (const world of [here, there]) world.forget();
  here.rooms.clear();
  // Connections that stay would still have the subscriptions of follows that are restored away, without an event.
  const hubs = [here, there].map(({ app }) => app.services.realtime);
  for (const hub of hubs) hub.closeConnections();
  await poll(async () => hubs.every((hub) => hub.connections() === 0), 'the end of all connections');
}

/** Registers a table of tests: each revocation with each access path. All access paths of a revocation are opened, and then it happens. */
export function testRevocations<Scene>(
  find: () => Nodes,
  { prepare, revocations, access_paths, open = {} }: Revocations<Scene>,
): void {
  describe.each(Object.entries(revocations))('%s', (name, revoke) => {
    const to_close = Object.entries(access_paths).filter(([path]) => !open[name]?.includes(path));
    const closed = new Map<string, boolean>();
    beforeAll(async () => {
      const nodes = find();
      const { native } = nodes.here.app.services.db;
      const rows = await readRows(native);
      try {
        const scene = await prepare(nodes);
        const opened = new Map<string, Awaited<ReturnType<AccessPath<Scene>>>>();
        for (const [path, openPath] of to_close) opened.set(path, await openPath(scene));
        for (const [path, isOpen] of opened) expect([path, await happens(isOpen)]).toEqual([path, true]);
        await revoke(scene);
        // The jobs of a service run at once.
        await nodes.here.settle();
        const close = async (isOpen: () => boolean | Promise<boolean>) => happens(async () => !(await isOpen()));
        await Promise.all([...opened].map(async ([path, isOpen]) => closed.set(path, await close(isOpen))));
      } finally {
        await restore(nodes, rows);
      }
    });
    it.each(to_close)('closes %s', (path) => {
      expect(closed.get(path)).toBe(true);
    });
  });
}

/** Starts the two nodes for the tests of a file. @returns what finds them, once they run */
export function startNodes(): () => Nodes {
  let nodes: Nodes;
  beforeAll(async () => {
    const environment = { THROTTLE_FACTOR: '1000' };
    const here = await createWorld({ environment });
    const { bus, blobs, media } = here.app.services;
    const there = await openNode(here, { environment, engines: { bus, blobs, media } });
    const [port_here, port_there] = [await here.app.listen(), await there.app.listen()];
    const url = (port: number) => `http://127.0.0.1:${port}/v1`;
    nodes = { ...findPersonas(), here, there, url_here: url(port_here), url_there: url(port_there) };
  });
  afterAll(async () => {
    await nodes.there.close();
    await nodes.here.close();
  });
  return () => nodes;
}
