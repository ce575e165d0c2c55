import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from './generated/operations.ts';
import type { OperationEntry } from './operation-types.ts';

type Schema = { $ref?: string; properties?: Record<string, unknown> } & Record<string, unknown>;
const document = JSON.parse(readFileSync(new URL('../docs/generated/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { responses: Schema }>>;
  components: { schemas: Record<string, Schema> };
};
const dereference = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : dereference(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
const schemaAt = (from: Schema, path: string[]): Schema =>
  path.reduce((at, name) => dereference(at[name] as Schema), dereference(from));
const documentOf = ({ method, path }: OperationEntry) =>
  document.paths[path]?.[method.toLowerCase()] ?? { responses: {} };

test('the items of every list have the field that its cursor names', () => {
  for (const [area, entries] of Object.entries(operations))
    for (const [name, entry] of Object.entries<OperationEntry>(entries)) {
      if (entry.paging !== 'before_id') continue;
      const { responses } = documentOf(entry);
      const item = schemaAt(responses, [
        '200',
        'content',
        'application/json',
        'schema',
        'properties',
        'items',
        'items',
      ]);
      const path = (entry.cursor ?? 'id').split('.');
      const holder = schemaAt(
        item,
        path.slice(0, -1).flatMap((member) => ['properties', member]),
      );
      expect([area, name, Object.keys(holder.properties ?? {})]).toEqual([
        area,
        name,
        expect.arrayContaining(path.slice(-1)),
      ]);
    }
});
