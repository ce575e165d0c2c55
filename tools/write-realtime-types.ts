/** Writes the SDK's types of realtime events from the AsyncAPI document. */

type Schema = {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
};
type Message = { summary: string; payload: { properties: { data?: Schema } } };
/** The part of an AsyncAPI document that is used here. */
export type StreamDocument = {
  channels: { stream: { messages: Record<string, Message> } };
  components: { schemas: Record<string, Schema> };
};

const plain: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * Generates one member of `RealtimeData` for each event. A schema that is also in the OpenAPI document is taken from
 * there, so that a status on the stream has the same type as a status in a list.
 * @param shared names of the OpenAPI document's components
 * @throws an error that names a schema which cannot be expressed in TypeScript
 */
export function writeRealtimeTypes(document: StreamDocument, shared: ReadonlySet<string>): string {
  const { schemas } = document.components;
  const say = (schema: Schema, indent: string): string => {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split('/').at(-1) ?? '';
      const own = schemas[name];
      if (shared.has(name)) return `components['schemas']['${name}']`;
      if (own === undefined) throw new Error(`the stream's document has no "${name}"`);
      return say(own, indent);
    }
    if ('const' in schema) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
    if (schema.anyOf) return schema.anyOf.map((one) => say(one, indent)).join(' | ');
    if (schema.type === 'array' && schema.items) return `readonly (${say(schema.items, indent)})[]`;
    if (schema.type === 'object' && schema.properties) {
      const lines = Object.entries(schema.properties).map(([name, member]) => {
        const note = member.description === undefined ? '' : `${indent}  /** ${member.description} */\n`;
        const mark = schema.required?.includes(name) ? '' : '?';
        return `${note}${indent}  readonly ${name}${mark}: ${say(member, `${indent}  `)};`;
      });
      return `{\n${lines.join('\n')}\n${indent}}`;
    }
    const word = plain[schema.type ?? ''];
    if (word === undefined) throw new Error(`no TypeScript is known for ${JSON.stringify(schema)}`);
    return word;
  };
  // Messages of clients are in the same channel, and have no `data`.
  const members = Object.entries(document.channels.stream.messages).flatMap(([type, { summary, payload }]) => {
    const { data } = payload.properties;
    return data ? [`  /** ${summary} */\n  '${type}': ${say(data, '  ')};`] : [];
  });
  return [
    `import type { components } from './openapi.d.ts';\n`,
    `/** What each type of realtime event carries in \`data\`. */`,
    `export interface RealtimeData {\n${members.join('\n')}\n}\n`,
  ].join('\n');
}
