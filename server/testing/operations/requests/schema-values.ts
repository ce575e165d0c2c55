/** Values drawn from the schemas of contracts, so that random requests pass validation and reach the rule itself. */
import fc from 'fast-check';
import type { TSchema } from '../../../kernel/schema.ts';
import { compileValidator } from '../../../kernel/validation.ts';

/** The part of JSON Schema that the contracts use. */
type Shape = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
};

/** Texts, at least one of which matches nearly every pattern of the contracts. */
const texts = [
  'jazz',
  'A few words',
  'x',
  '123456',
  'en',
  'Europe/Vienna',
  '2030-01-01T10:00:00Z',
  '2030-01-02T10:00:00Z',
  '2030-01-01',
  'FREQ=DAILY;COUNT=3',
  '+14155550123',
  'somebody@example.org',
  'https://example.org/',
  'a quiet river bend',
  '👍',
  'a'.repeat(64),
];

/** At most this many items of a list are drawn. */
const max_items = 3;

/**
 * Values that a schema permits, as far as known texts or `ids` match its patterns.
 * @param ids returns identifiers of existing objects, by their prefix
 */
export function valuesOf(schema: TSchema, ids: (prefix: string) => string[]): fc.Arbitrary<unknown> {
  return draw(schema as Shape);

  function draw(shape: Shape): fc.Arbitrary<unknown> {
    if (shape.anyOf) return fc.oneof(...shape.anyOf.map(draw));
    if (shape.enum) return fc.constantFrom(...shape.enum);
    if (shape.const !== undefined) return fc.constant(shape.const);
    if (shape.properties) return drawObject(shape.properties, shape.required ?? []);
    if (shape.items) {
      const { minItems: minLength = 0, maxItems = max_items } = shape;
      return fc.array(draw(shape.items), { minLength, maxLength: Math.max(minLength, Math.min(maxItems, max_items)) });
    }
    if (shape.type === 'string') return drawText(shape);
    if (shape.type === 'integer') return fc.integer({ min: shape.minimum ?? -5, max: shape.maximum ?? 1000 });
    if (shape.type === 'number')
      return fc.double({ noNaN: true, min: shape.minimum ?? -1000, max: shape.maximum ?? 1000 });
    if (shape.type === 'boolean') return fc.boolean();
    return fc.constant(null);
  }

  function drawObject(properties: Record<string, Shape>, required: string[]): fc.Arbitrary<unknown> {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, draw(shape)]));
    return fc.record(fields, { requiredKeys: required });
  }

  function drawText(shape: Shape): fc.Arbitrary<unknown> {
    const prefix = /^\^([a-z]+)_\[/.exec(shape.pattern ?? '')?.[1];
    if (prefix) return fc.constantFrom(...ids(prefix), `${prefix}_${'0'.repeat(26)}`);
    const isWrong = compileValidator(shape as TSchema);
    const fitting = texts.filter((text) => !isWrong(text));
    const free = fc.string({ minLength: shape.minLength ?? 0, maxLength: Math.min(shape.maxLength ?? 40, 200) });
    if (fitting.length === 0) return free;
    return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: free });
  }
}
