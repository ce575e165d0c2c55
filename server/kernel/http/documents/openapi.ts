/** The OpenAPI 3.1 document, generated from the contracts of the running service. */
import { routeOf, type Endpoint, type Feature } from '../../endpoint.ts';
import { error_members, error_table, type ErrorCode } from '../../errors.ts';
import { isBodyRequired, takesFile } from '../http-body.ts';
import { component_key, type TSchema } from '../../schema.ts';
import { throttle_table } from '../../load/throttle.ts';

type Json = Record<string, unknown>;

const not_documented = new Set(['x-component']);

/** Describes all areas, and the webhooks. Schemas with a name become components. */
export function describeApi(features: Feature[], public_url: string, webhooks: Json = {}): Json {
  const components: Record<string, unknown> = {
    Error: {
      type: 'object',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', enum: Object.keys(error_table) },
            message: { type: 'string' },
            fields: { type: 'object', additionalProperties: { type: 'string' } },
            ...error_members,
          },
        },
      },
    },
  };
  const paths: Record<string, Json> = {};
  for (const { title, endpoints } of features) {
    for (const endpoint of endpoints) {
      const { method, path } = routeOf(endpoint);
      paths[path] = { ...paths[path], [method.toLowerCase()]: describe(endpoint, title, components) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Asterism',
      version: '1.0.0',
      description: 'Social calling and messaging.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${public_url}/v1` }],
    tags: features.map(({ title }) => ({ name: title })),
    paths,
    webhooks,
    components: { schemas: components, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

function describe(endpoint: Endpoint, title: string, components: Record<string, unknown>): Json {
  const { method } = routeOf(endpoint);
  const parameters = [
    ...parametersOf(endpoint.path, 'path', components),
    ...parametersOf(endpoint.query, 'query', components),
  ];
  if (method === 'POST' && endpoint.idempotent !== false) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    });
  }
  const throttle = endpoint.throttle ?? 'default';
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    ...descriptionOf(endpoint),
    tags: [title],
    security: endpoint.gate === 'public' ? [] : endpoint.gate === 'optional' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(endpoint, components),
    responses: { ...successes(endpoint, components), ...refusals(endpoint) },
    'x-gate': endpoint.gate,
    'x-throttle': { name: throttle, ...throttle_table[throttle] },
    'x-area': endpoint.area,
    ...(endpoint.kind && endpoint.kind !== 'json' ? { 'x-kind': endpoint.kind } : {}),
    ...(endpoint.extension ? { 'x-extension': true } : {}),
  };
}

function descriptionOf({ description, deprecated }: Endpoint): Json {
  if (!deprecated) return description ? { description } : {};
  const { since, sunset, link } = deprecated;
  const end = sunset ? `, and may be gone from ${sunset} on` : '';
  const notice = `Deprecated since ${since}${end}.${link ? ` See ${link}.` : ''}`;
  return { deprecated: true, description: description ? `${notice} ${description}` : notice };
}

function parametersOf(
  schema: TSchema | undefined,
  place: 'path' | 'query',
  components: Record<string, unknown>,
): Json[] {
  if (!schema) return [];
  const { properties, required = [] } = schema as unknown as {
    properties: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: liftComponents(property, components),
  }));
}

function bodyOf(endpoint: Endpoint, components: Record<string, unknown>): Json {
  const json = endpoint.body && { 'application/json': { schema: liftComponents(endpoint.body, components) } };
  if (takesFile(endpoint)) {
    const fields = (endpoint.body as unknown as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    // Where JSON is accepted instead of a file, its fields replace the file rather than accompany it.
    const properties = endpoint.kind === 'either' ? { file } : { file, ...fields };
    const upload = { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties } } };
    return { requestBody: { required: true, content: endpoint.kind === 'upload' ? upload : { ...json, ...upload } } };
  }
  return json ? { requestBody: { required: isBodyRequired(endpoint), content: json } } : {};
}

function successes(endpoint: Endpoint, components: Record<string, unknown>): Json {
  const statuses = endpoint.status ?? [endpoint.reply ? 200 : endpoint.kind === 'stream' ? 200 : 204];
  const content = endpoint.reply && {
    content: { 'application/json': { schema: liftComponents(endpoint.reply, components) } },
  };
  const unchanged = { description: 'Not modified since the version in `If-None-Match`.' };
  return Object.fromEntries(
    statuses.map((status) => [String(status), status === 304 ? unchanged : { description: 'Done.', ...content }]),
  );
}

/** The error codes that an operation may answer: those of its contract and those implied by its shape. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const { method } = routeOf(endpoint);
  const codes = new Set<ErrorCode>(['rate_limited', 'internal_error', 'unavailable', ...(endpoint.errors ?? [])]);
  if (endpoint.gate !== 'public') codes.add('token_invalid');
  if (endpoint.gate !== 'public' && endpoint.gate !== 'optional') codes.add('unauthenticated');
  if (endpoint.gate === 'verified' || endpoint.gate === 'guest') codes.add('mobile_unverified');
  // The refusal of a guest's token.
  if (endpoint.gate !== 'public' && endpoint.gate !== 'guest') codes.add('forbidden');
  if (endpoint.path) codes.add('not_found');
  if (endpoint.query) codes.add('validation_failed');
  if (method !== 'GET')
    for (const code of ['bad_request', 'payload_too_large', 'unsupported_media_type', 'validation_failed'] as const)
      codes.add(code);
  if (method === 'POST' && endpoint.idempotent !== false)
    for (const code of ['idempotency_key_reused', 'request_in_progress'] as const) codes.add(code);
  return [...codes].sort();
}

function refusals(endpoint: Endpoint): Json {
  const by_status = new Map<number, string[]>();
  for (const code of errorsOf(endpoint)) {
    const status = error_table[code][0];
    by_status.set(status, [...(by_status.get(status) ?? []), code]);
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    [...by_status]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [String(status), { description: codes.join(', '), content }]),
  );
}

/** Moves named schemas into the components and leaves references in their place. */
export function liftComponents(schema: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => liftComponents(one, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = (schema as Json)[component_key];
  const plain = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !not_documented.has(key))
      .map(([key, value]) => [key, liftComponents(value, components)]),
  );
  if (typeof name !== 'string') return plain;
  components[name] = plain;
  return { $ref: `#/components/schemas/${name}` };
}
