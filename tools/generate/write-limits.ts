/** Writes the table of limits as a page, each with the comment above it in its source. */

/**
 * @param source of `server/kernel/load/limits.ts`
 * @param limits what that file exports
 * @returns rows of a table: the names that share a comment, their values, and the comment
 * @throws Error when a limit has no comment above it
 */
export function writeLimits(source: string, limits: Readonly<Record<string, number>>): string[] {
  const groups: { meaning: string; names: string[] }[] = [];
  for (const [, comment, name] of source.matchAll(/^ {2}(?:\/\*\* (.*) \*\/|([a-z][a-z0-9_]*):)/gm)) {
    if (comment !== undefined) groups.push({ meaning: comment.replaceAll('|', '\\|'), names: [] });
    else if (name !== undefined) groups.at(-1)?.names.push(name);
  }
  const described = new Set(groups.flatMap(({ names }) => names));
  const undescribed = Object.keys(limits).filter((name) => !described.has(name));
  if (undescribed.length > 0) throw new Error(`no comment tells what these limits are: ${undescribed.join(', ')}`);
  return groups
    .filter(({ names }) => names.length > 0)
    .map(({ meaning, names }) => {
      const values = names.map((name) => limits[name]?.toLocaleString('en-US'));
      return `| ${names.map((name) => `\`${name}\``).join(', ')} | ${values.join('; ')} | ${meaning} |`;
    });
}
