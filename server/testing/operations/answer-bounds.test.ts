/**
 * Every list in every reply and event has a bound, so that the data of an account cannot enlarge a reply without limit.
 */
import { describe, expect, it } from 'vitest';
import { features } from '../../features/index.ts';
import { object, Type, type TSchema } from '../../kernel/schema.ts';

type Node = {
  type?: string;
  items?: Node;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  anyOf?: Node[];
  allOf?: Node[];
};

/** The paths of lists and maps below a schema that have no bound. */
function unboundedIn(schema: Node, path: string): string[] {
  const found: string[] = [];
  if (schema.type === 'array' && schema.maxItems === undefined) found.push(path);
  if (schema.patternProperties && schema.maxProperties === undefined) found.push(path);
  if (schema.items) found.push(...unboundedIn(schema.items, `${path}[]`));
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    found.push(...unboundedIn(property, `${path}.${name}`));
  for (const schema_part of [
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...Object.values(schema.patternProperties ?? {}),
  ])
    found.push(...unboundedIn(schema_part, path));
  return found;
}

const unboundedOf = (name: string, schema: TSchema | undefined) => (schema ? unboundedIn(schema as Node, name) : []);

describe('lists in replies and events', () => {
  it('are found where they have no bound', () => {
    const inner = object({ names: Type.Array(Type.String()), few: Type.Array(Type.String(), { maxItems: 3 }) });
    const schema = object({
      one: Type.Union([inner, Type.Null()]),
      many: Type.Array(inner, { maxItems: 1 }),
      map: Type.Record(Type.String(), Type.String()),
    });
    expect(unboundedOf('reply', schema)).toEqual(['reply.one.names', 'reply.many[].names', 'reply.map']);
  });

  it('have a bound in every operation', () => {
    const operations = features.flatMap(({ endpoints }) => endpoints);
    expect(operations.length).toBeGreaterThan(100);
    expect(operations.flatMap(({ id, reply }) => unboundedOf(id, reply))).toEqual([]);
  });

  it('have a bound in every event', () => {
    const events = features.flatMap((feature) => feature.events ?? []);
    expect(events.length).toBeGreaterThan(15);
    expect(events.flatMap(({ type, data }) => unboundedOf(type, data))).toEqual([]);
  });
});
