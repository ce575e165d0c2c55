/** Bodies: read and checked as the contract says. */
import type { FastifyRequest } from 'fastify';
import type { Endpoint, Upload } from './endpoint.ts';
import { fail, invalid } from './errors.ts';
import type { Limits } from './limits.ts';
import type { Validate } from './schema.ts';
import { findUnstorable } from './wire.ts';

const methods_with_body = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

type BodyContract = { endpoint: Endpoint; body: Validate };

/** Whether an operation may come with a file. */
export const takesFile = ({ kind }: Endpoint): boolean => kind === 'upload' || kind === 'either';

/**
 * Reads and checks the body of a request: JSON, or the fields and the one file of an upload.
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
  if (endpoint.kind === 'upload' || (takesFile(endpoint) && request.isMultipart()))
    return readUpload(compiled, limits, request);
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
  if (!request.isMultipart()) fail('unsupported_media_type');
  const max = compiled.endpoint.max_file_bytes ?? limits.upload_bytes;
  const body: Record<string, string> = {};
  let file: Upload | undefined;
  for await (const part of request.parts({ limits: { fileSize: max } })) {
    if (part.type === 'file') {
      if (part.fieldname !== 'file') invalid({ [part.fieldname]: 'is not a known field' });
      file = { bytes: await part.toBuffer(), filename: part.filename };
    } else {
      body[part.fieldname] = String(part.value);
    }
  }
  const fields = compiled.body(body) ?? findUnstorable(JSON.stringify(body), body);
  if (fields) invalid(fields);
  if (!file) invalid({ file: 'is required' });
  return { body, file };
}
