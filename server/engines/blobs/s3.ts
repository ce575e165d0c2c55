/** File storage by the S3 protocol. */
import { Readable } from 'node:stream';
import type * as S3 from '@aws-sdk/client-s3';
import { limitAnswer } from '../answers.ts';
import type { Blobs } from '../ports.ts';

/** A bucket of an S3-compatible store, and its credentials. */
export type S3Options = {
  /** Undefined for Amazon's own. */
  endpoint?: string;
  bucket: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  /** How long the storage may take to answer a request. */
  answer_ms?: number;
  /** How long a connection may be idle in the middle of an answer; longer than a client pauses that reads the file. */
  idle_ms?: number;
};

/** The minimum part size of S3 is 5 MiB; one part of an upload is in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024;
const ANSWER_TIMEOUT_MS = 20_000;
const IDLE_TIMEOUT_MS = 120_000;
/** Each takes up to the timeout, and a request of a client waits for all. */
const ATTEMPTS = 2;

/** Connects to an existing bucket. @throws one clear sentence when the storage or the bucket does not answer. */
export async function connectS3Blobs(options: S3Options): Promise<Blobs> {
  const s3 = await import('@aws-sdk/client-s3');
  const client = createClient(s3, options);
  limitAnswers(client, options.answer_ms ?? ANSWER_TIMEOUT_MS);
  const Bucket = options.bucket;
  try {
    await client.send(new s3.HeadBucketCommand({ Bucket }));
  } catch (cause) {
    client.destroy();
    const where = options.endpoint ?? `Amazon S3 in ${options.region}`;
    throw new Error(
      `The bucket ${Bucket} at ${where} does not answer (${(cause as Error).name}): check S3_ENDPOINT, S3_BUCKET and the key.`,
      { cause },
    );
  }

  const send = asOutages((command: Parameters<typeof client.send>[0]) => client.send(command)) as typeof client.send;

  return {
    async put(key, body, { content_type }) {
      const object = { Bucket, Key: key, ContentType: content_type };
      const source = body instanceof Readable ? body : Readable.from([body], { objectMode: false });
      const chunks = inParts(source);
      try {
        const first = await chunks.next();
        const second = first.done ? first : await chunks.next();
        if (second.done) {
          const whole = first.done ? Buffer.alloc(0) : first.value;
          await send(new s3.PutObjectCommand({ ...object, Body: whole, ContentLength: whole.length }));
        } else await putInParts(send, s3, object, rejoin([first.value as Buffer, second.value], chunks));
      } finally {
        source.destroy();
      }
    },
    async get(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`;
      try {
        const answer = await send(new s3.GetObjectCommand({ Bucket, Key: key, Range }));
        // In the answer to a range request, the total size follows the slash (RFC 9110, section 14.4).
        const whole = answer.ContentRange?.split('/')[1] ?? answer.ContentLength;
        return { body: answer.Body as Readable, size_bytes: Number(whole ?? 0) };
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    async remove(key) {
      await send(new s3.DeleteObjectCommand({ Bucket, Key: key }));
    },
    async *list(prefix) {
      const pages = s3.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix });
      const next = asOutages(() => pages.next());
      for (let page = await next(); !page.done; page = await next())
        for (const { Key } of page.value.Contents ?? []) if (Key !== undefined) yield Key;
    },
    close() {
      client.destroy();
      return Promise.resolve();
    },
  };
}

function createClient(s3: typeof S3, options: S3Options): S3.S3Client {
  return new s3.S3Client({
    ...(options.endpoint && { endpoint: options.endpoint, forcePathStyle: true }),
    region: options.region,
    credentials: { accessKeyId: options.access_key_id, secretAccessKey: options.secret_access_key },
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: options.answer_ms ?? ANSWER_TIMEOUT_MS,
      // Otherwise it only warns, and waits for ever.
      throwOnRequestTimeout: true,
      socketTimeout: options.idle_ms ?? IDLE_TIMEOUT_MS,
    },
    // Storage other than Amazon's often does not support trailing checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/**
 * Limits what the SDK reads into memory: errors, lists and confirmations. A file is not: whoever receives it reads it in pieces.
 */
function limitAnswers(client: S3.S3Client, timeout_ms: number): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (request) => {
        const answered = await next(request);
        const response = answered.response as { statusCode: number; body: Readable };
        if (commandName !== 'GetObjectCommand' || response.statusCode >= 300)
          response.body = limitAnswer(response.body, timeout_ms);
        return answered;
      },
    // Before the SDK reads the answer.
    { step: 'deserialize', priority: 'low', name: 'limitAnswers' },
  );
}

/** Marks errors as an outage of the storage, except those that are the fault of this service. */
function asOutages<Args extends unknown[], Result>(
  use: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    try {
      return await use(...args);
    } catch (error) {
      const { $fault } = error as { $fault?: 'client' | 'server' };
      throw $fault === 'client' ? error : Object.assign(error as Error, { is_outage: true });
    }
  };
}

/** A multipart upload becomes visible when it is completed, and is aborted when anything fails. */
async function putInParts(
  send: S3.S3Client['send'],
  s3: typeof S3,
  object: { Bucket: string; Key: string; ContentType: string },
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const { Bucket, Key } = object;
  const { UploadId } = await send(new s3.CreateMultipartUploadCommand(object));
  const Parts: S3.CompletedPart[] = [];
  try {
    for await (const Body of chunks) {
      const PartNumber = Parts.length + 1;
      const upload = { Bucket, Key, UploadId, PartNumber, Body, ContentLength: Body.length };
      const { ETag } = await send(new s3.UploadPartCommand(upload));
      Parts.push({ ETag, PartNumber });
    }
    await send(new s3.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    await send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
    throw error;
  }
}

async function* inParts(source: Readable): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = [];
  let held_bytes = 0;
  for await (const chunk of source as AsyncIterable<Uint8Array | string>) {
    const bytes = Buffer.from(chunk as Uint8Array);
    held.push(bytes);
    held_bytes += bytes.length;
    if (held_bytes < PART_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    held_bytes = 0;
  }
  if (held_bytes > 0) yield Buffer.concat(held);
}

async function* rejoin(first: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}
