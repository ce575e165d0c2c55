/**
 * Turns of clients in groups: the groups are served in rotation, and within each its subgroups (hierarchical round robin), so
 * that a client with many addresses has no more turns than one with a single address.
 *
 * A client is the list of its groups, the outermost first. A group that is in several others has a turn in each of them, and
 * one share in all.
 */
export type Groups = readonly string[];

/**
 * How many places of a capacity each group has taken. A group may take another while it has fewer than are free, and its parts
 * in the same way share what is left to it: the dynamic threshold of shared packet buffers (Choudhury and Hahne, 1998) on
 * each level. So a place is left for a part with none, unless as many parts wait as there are places.
 */
export class Shares {
  total = 0;
  private readonly taken = new Map<string, number>();

  /** The outermost level at which a client may take no further place; undefined when it may take one. */
  fullLevel(groups: Groups, capacity: number): number | undefined {
    let free = capacity - this.total;
    for (const [level, group] of groups.entries()) {
      const taken = this.taken.get(group) ?? 0;
      if (taken >= free) return level;
      free -= taken;
    }
    return undefined;
  }

  take(groups: Groups): void {
    this.total += 1;
    for (const group of groups) this.taken.set(group, (this.taken.get(group) ?? 0) + 1);
  }

  release(groups: Groups): void {
    this.total -= 1;
    for (const group of groups) {
      const left = (this.taken.get(group) ?? 1) - 1;
      if (left > 0) this.taken.set(group, left);
      else this.taken.delete(group);
    }
  }
}

/** What waits of a group: of its parts, in the order in which they are served next, or of itself. */
class Group<T> {
  readonly parts = new Map<string, Group<T>>();
  readonly own: T[] = [];
}

/** What waits for its turn, with the share of each group in the waiting places. */
export class Turns<T extends { groups: Groups }> {
  readonly shares = new Shares();
  private readonly root = new Group<T>();

  get count(): number {
    return this.shares.total;
  }

  /** Whether anything of an outermost group waits. */
  has(outermost: string): boolean {
    return this.root.parts.has(outermost);
  }

  add(one: T): void {
    this.shares.take(one.groups);
    let at = this.root;
    for (const name of one.groups) {
      let part = at.parts.get(name);
      if (!part) at.parts.set(name, (part = new Group()));
      at = part;
    }
    at.own.push(one);
  }

  /**
   * Removes what is served next, after which its groups are the last ones.
   * @param mayServe which of the outermost groups may be served
   */
  take(mayServe: (outermost: string) => boolean = () => true): T | undefined {
    for (const [outermost, part] of this.root.parts) {
      if (!mayServe(outermost)) continue;
      const first = firstOf(part);
      if (first) this.remove(first.groups, true);
      return first;
    }
    return undefined;
  }

  /** Removes the oldest of each client for which a condition holds. */
  removeOldest(holds: (one: T) => boolean): T[] {
    const removed: T[] = [];
    for (const { own } of leavesOf(this.root))
      for (let [oldest] = own; oldest && holds(oldest); [oldest] = own) {
        this.remove(oldest.groups, false);
        removed.push(oldest);
      }
    return removed;
  }

  /** Removes the oldest of a client, and groups of which nothing is left. @param rotates whether its groups become the last */
  private remove(groups: Groups, rotates: boolean): void {
    this.shares.release(groups);
    const take = (group: Group<T>, level: number): void => {
      const name = groups[level];
      const part = name === undefined ? undefined : group.parts.get(name);
      if (name === undefined || !part) {
        group.own.shift();
        return;
      }
      take(part, level + 1);
      const is_empty = part.own.length === 0 && part.parts.size === 0;
      if (is_empty || rotates) group.parts.delete(name);
      // Deleted and set again, so that it moves to the end.
      if (!is_empty && rotates) group.parts.set(name, part);
    };
    take(this.root, 0);
  }
}

function firstOf<T>({ parts, own }: Group<T>): T | undefined {
  const [next] = parts.values();
  return next ? firstOf(next) : own[0];
}

function* leavesOf<T>(group: Group<T>): Generator<Group<T>> {
  if (group.own.length > 0) yield group;
  for (const part of group.parts.values()) yield* leavesOf(part);
}
