/** Bodies: reads and validates the request body against the contract. */
import type { FastifyRequest } from 'fastify';
import type { Endpoint, Upload } from '../endpoint.ts';
import { ApiError, fail, invalid } from '../errors.ts';
import type { Limits } from '../load/limits.ts';
import { compileValidator, type Validate } from '../validation.ts';
import { findUnstorable } from './wire.ts';

const methods_with_body = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

type BodyContract = { endpoint: Endpoint; body: Validate; is_body_required: boolean };

/** Whether an operation accepts a file. */
export const takesFile = ({ kind }: Endpoint): boolean =>
  kind === 'upload' || kind === 'either' || kind === 'optional_upload';

/** Whether an operation requires a body: it accepts a file, or has a required field. */
export const isBodyRequired = (endpoint: Endpoint): boolean =>
  takesFile(endpoint) || (endpoint.body !== undefined && compileValidator(endpoint.body)({}) !== undefined);

/**
 * Reads and validates the body of a request: JSON, or the fields and the one file of an upload.
 * @throws ApiError `validation_failed`, `unsupported_media_type` or `payload_too_large`
 */
export async function readBody(
  compiled: BodyContract,
  limits: Limits,
  method: string,
  request: FastifyRequest,
): Promise<{ body: unknown; file: Upload | undefined }> {
  const { endpoint } = compiled;
  if (!methods_with_body.has(method)) return { body: {}, file: undefined };
  if (takesFile(endpoint) && request.isMultipart()) return readUpload(compiled, limits, request);
  if (request.body === undefined && compiled.is_body_required) fail('bad_request', { message: 'A body is required.' });
  if (endpoint.kind === 'upload') fail('unsupported_media_type');
  const body = request.body === undefined ? {} : request.body;
  const fields = compiled.body(body) ?? findUnstorable(request.raw_body, body);
  if (fields) invalid(fields);
  return { body, file: undefined };
}

async function readUpload(
  compiled: BodyContract,
  limits: Limits,
  request: FastifyRequest,
): Promise<{ body: unknown; file: Upload | undefined }> {
  const max = compiled.endpoint.max_file_bytes ?? limits.upload_bytes;
  const { body, file, count } = await readParts(request, max).catch((error: unknown) => {
    dropRest(request);
    return refuseBroken(error);
  });
  if (count === 0) fail('bad_request', { message: 'The multipart body has no readable parts.' });
  const fields = compiled.body(body) ?? findUnstorable(JSON.stringify(body), body);
  if (fields) invalid(fields);
  if (!file) invalid({ file: 'is required' });
  return { body, file };
}

type Parts = { body: Record<string, string>; file: Upload | undefined; count: number };

/** Reads the parts of a multipart body (RFC 7578), up to `max_bytes` of its file. */
async function readParts(request: FastifyRequest, max_bytes: number): Promise<Parts> {
  const parts: Parts = { body: {}, file: undefined, count: 0 };
  for await (const part of request.parts({ limits: { fileSize: max_bytes } })) {
    parts.count += 1;
    if (!part.fieldname) fail('bad_request', { message: 'A part of the multipart body has no name.' });
    if (part.type === 'field') parts.body[part.fieldname] = String(part.value);
    else if (part.fieldname !== 'file') invalid({ [part.fieldname]: 'is not a known field' });
    else parts.file = { bytes: await part.toBuffer(), filename: part.filename };
  }
  return parts;
}

/**
 * Reads the rest of a body and drops it. Otherwise it would remain in the connection, whose later requests would never be read:
 * Node does so only for bodies that nothing has begun to read.
 */
function dropRest({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

/** Refuses a body that the multipart parser rejects, for any reason. @throws ApiError always */
function refuseBroken(error: unknown): never {
  if (error instanceof ApiError) throw error;
  if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') fail('payload_too_large');
  fail('bad_request', { message: 'The multipart body is not valid.', cause: error });
}
