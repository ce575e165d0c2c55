/** All paths and their methods, for 405 and `Allow`. Used only when no route has matched. */
import type { Method } from '../caller.ts';

type Node = { fixed: Map<string, Node>; any: Node | undefined; methods: Set<string> };

export type RouteTable = {
  /** The methods of the path that matches an address, as `Allow` lists them; undefined when there is no such path. */
  methodsOf(url: string): string | undefined;
  /**
   * Whether a parameterised path also matches the address of a more specific path, such as `/xtags/{id}` and
   * `/xtags/search`.
   */
  hasRival(path: string): boolean;
};

/** Builds the table from methods and paths with `{parameters}`. */
export function createRouteTable(routes: { method: Method; path: string }[], base_path: string): RouteTable {
  const root = newNode();
  const paths = [...new Set(routes.map(({ path }) => path))].map(segmentsOf);
  for (const { method, path } of routes) {
    let node = root;
    for (const segment of segmentsOf(base_path + path)) {
      if (segment.startsWith('{')) node = node.any ??= newNode();
      else {
        const next = node.fixed.get(segment) ?? newNode();
        node.fixed.set(segment, next);
        node = next;
      }
    }
    node.methods.add(method);
    if (method === 'GET') node.methods.add('HEAD');
    node.methods.add('OPTIONS');
  }
  return {
    methodsOf(url) {
      const node = find(root, segmentsOf(url.split('?', 1)[0] ?? ''));
      return node && [...node.methods].join(', ');
    },
    hasRival(path) {
      const segments = segmentsOf(path);
      return paths.some((other) => isMoreExact(other, segments));
    },
  };
}

/** Whether an address can match both paths, one of which has a literal where the other has a parameter. */
function isMoreExact(mine: string[], theirs: string[]): boolean {
  if (mine.length !== theirs.length) return false;
  const isParameter = (segment: string | undefined) => segment?.startsWith('{') === true;
  const fits = mine.every((word, at) => word === theirs[at] || isParameter(word) || isParameter(theirs[at]));
  return fits && mine.some((word, at) => !isParameter(word) && isParameter(theirs[at]));
}

function newNode(): Node {
  return { fixed: new Map(), any: undefined, methods: new Set() };
}

function segmentsOf(path: string): string[] {
  return path.slice(1).split('/');
}

/** Literal segments first, like the router; a parameter only where the literals match nothing. */
function find(node: Node, segments: string[]): Node | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.methods.size > 0 ? node : undefined;
  const fixed = node.fixed.get(segment);
  return (fixed && find(fixed, rest)) ?? (node.any && segment !== '' ? find(node.any, rest) : undefined);
}
