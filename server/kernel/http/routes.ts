/** All paths and their methods, for 405 and `Allow`. Used only when no route has matched. */
import type { Method } from '../caller.ts';

type Node = { fixed: Map<string, Node>; any: Node | undefined; methods: Set<string> };

/** The paths of all operations. */
export type RouteTable = {
  /** The methods of the path that matches an address, as `Allow` lists them; undefined when there is no such path. */
  methodsOf(url: string): string | undefined;
  /**
   * Whether a parameterised path also matches the address of a more specific path, such as `/xtags/{id}` and
   * `/xtags/search`.
   */
  hasOverlap(path: string): boolean;
};

/** Builds the table from methods and paths with `{parameters}`. */
export function createRouteTable(routes: { method: Method; path: string }[], base_path: string): RouteTable {
  const root = newNode();
  // By the number of segments, since only paths with as many can match the same address.
  const paths = Map.groupBy([...new Set(routes.map(({ path }) => path))].map(segmentsOf), ({ length }) => length);
  for (const { method, path } of routes) {
    let node = root;
    for (const segment of segmentsOf(base_path + path)) {
      if (isParameter(segment)) node = node.any ??= newNode();
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
    hasOverlap(path) {
      const segments = segmentsOf(path);
      return paths.get(segments.length)?.some((other) => isMoreExact(other, segments)) === true;
    },
  };
}

/**
 * Whether an address can match both of two paths with the same number of segments, one of which has a literal where
 * the other has a parameter.
 */
function isMoreExact(mine: string[], theirs: string[]): boolean {
  const fits = mine.every((word, at) => word === theirs[at] || isParameter(word) || isParameter(theirs[at]));
  return fits && mine.some((word, at) => !isParameter(word) && isParameter(theirs[at]));
}

const isParameter = (segment: string | undefined) => segment?.startsWith('{') === true;

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
