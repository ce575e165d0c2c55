/** Replies: turns the result of an operation into an HTTP answer. */
import { JsonText, Reply, type Endpoint, type StreamReply } from '../endpoint.ts';
import { answerContent } from '../content.ts';
import type { Exchange } from './http-exchange.ts';
import { record } from './http-refusal.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { Validate } from '../validation.ts';

/**
 * The status and the JSON text of the result of an operation.
 * @param check validates it against the contract, in tests
 * @throws Error when the result breaks the contract
 */
export function toAnswer(endpoint: Endpoint, check: Validate | undefined, result: unknown): StoredAnswer {
  const usual = endpoint.status?.[0] ?? (endpoint.reply ? 200 : 204);
  const status = result instanceof Reply ? result.status : usual;
  const body = result instanceof Reply ? result.body : result;
  const is_empty = body === undefined || endpoint.kind === 'stream';
  const text = is_empty ? '' : body instanceof JsonText ? body.text : JSON.stringify(body);
  if (check && endpoint.kind !== 'stream') {
    const wrong = is_empty ? undefined : check(JSON.parse(text));
    if (wrong) throw new Error(`the reply of ${endpoint.id} breaks its contract: ${JSON.stringify(wrong)}`);
    if (!(endpoint.status ?? [usual]).includes(status))
      throw new Error(`${endpoint.id} answers ${status}, which its contract does not name`);
  }
  return { status, body: text };
}

/** Sends an answer, or its stream. */
export function send(exchange: Exchange, answer: StoredAnswer, result?: unknown): unknown {
  const { endpoint, services, reply } = exchange;
  if (result instanceof Reply) reply.headers(result.headers);
  if (endpoint.kind === 'stream' && result instanceof Reply && result.body)
    return sendStream(exchange, answer.status, result.body as StreamReply);
  reply.status(answer.status);
  record(endpoint.id, services, reply.request, answer.status);
  if (answer.body === '') return reply.send();
  return reply.header('content-type', 'application/json; charset=utf-8').send(answer.body);
}

async function sendStream(
  { endpoint, services, reply }: Exchange,
  usual_status: number,
  body: StreamReply,
): Promise<unknown> {
  const { request } = reply;
  // HEAD does not read the stream: an endless stream would stay open without a reader.
  if (request.method === 'HEAD' && 'stream' in body) body.stream.destroy();
  const sent = 'content' in body ? await answerContent(request, reply, body.content) : body;
  const status = 'status' in sent ? sent.status : usual_status;
  record(endpoint.id, services, request, status);
  return reply.status(status).send(sent.stream);
}
