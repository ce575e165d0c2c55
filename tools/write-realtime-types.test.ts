import { expect, it } from 'vitest';
import { writeRealtimeTypes, type StreamDocument } from './write-realtime-types.ts';

const documentOf = (data: object, schemas: object = {}): StreamDocument =>
  ({
    channels: { stream: { messages: { 'thing.made': { summary: 'A thing.', payload: { properties: { data } } } } } },
    components: { schemas },
  }) as StreamDocument;

it('writeRealtimeTypes writes objects, lists, choices and optional members, and refers to shared schemas', () => {
  const data = {
    type: 'object',
    required: ['thing', 'sizes'],
    properties: {
      thing: { $ref: '#/components/schemas/Thing' },
      sizes: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
      colour: { enum: ['red', 'blue'] },
      own: { $ref: '#/components/schemas/Own' },
    },
  };
  const schemas = { Thing: { type: 'object' }, Own: { type: 'object', properties: { kind: { const: 'own' } } } };
  const text = writeRealtimeTypes(documentOf(data, schemas), new Set(['Thing']));
  expect(text).toContain(`/** A thing. */
  'thing.made': {
    readonly thing: components['schemas']['Thing'];
    readonly sizes: readonly (number | null)[];
    readonly colour?: "red" | "blue";
    readonly own?: {
      readonly kind?: "own";
    };
  };`);
});

it('writeRealtimeTypes rejects a schema that it cannot express', () => {
  expect(() => writeRealtimeTypes(documentOf({ type: 'object' }), new Set())).toThrow('no TypeScript is known');
  expect(() => writeRealtimeTypes(documentOf({ $ref: '#/components/schemas/Nowhere' }), new Set())).toThrow('Nowhere');
});
