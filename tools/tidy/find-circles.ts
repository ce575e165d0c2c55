/**
 * Groups of nodes that reach each other along the arrows of a graph (Tarjan, 1972), each in alphabetical order.
 * @param arrowsFrom the nodes that a node points at
 */
export function findCircles(nodes: Iterable<string>, arrowsFrom: (node: string) => Iterable<string>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const on_stack = new Set<string>();
  const circles: string[][] = [];
  function visit(node: string): void {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    stack.push(node);
    on_stack.add(node);
    for (const to of arrowsFrom(node)) {
      if (!index.has(to)) visit(to);
      if (on_stack.has(to)) low.set(node, Math.min(low.get(node) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const members = stack.splice(stack.indexOf(node));
    for (const member of members) on_stack.delete(member);
    if (members.length > 1) circles.push(members.sort());
  }
  for (const node of nodes) if (!index.has(node)) visit(node);
  return circles;
}
