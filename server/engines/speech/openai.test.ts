import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testSpeech } from '../../testing/contracts/speech.contract.ts';
import { createOpenAiSpeech } from './openai.ts';

describe('speech contract with an OpenAI-compatible server', () => {
  testSpeech(async () => {
    const server = createServer(async (request, response) => {
      const is_audio = (await buffer(request)).includes('a sound with words');
      response
        .writeHead(is_audio ? 200 : 400, { 'content-type': 'application/json' })
        .end(JSON.stringify(is_audio ? { text: 'Call me back' } : { error: { message: 'Invalid file format.' } }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return {
      speech: createOpenAiSpeech({ url, model: 'small' }),
      sample: { bytes: Buffer.from('a sound with words'), content_type: 'audio/ogg', word: 'call' },
      close: async () => void server.close(),
    };
  });
});

describe('createOpenAiSpeech', () => {
  let server: Server;
  let url: string;
  let answer: { status: number; body: unknown };
  const requests: { path: string | undefined; authorization: string | undefined; form: string }[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const form = (await buffer(request)).toString('latin1');
      requests.push({ path: request.url, authorization: request.headers.authorization, form });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    requests.length = 0;
    answer = { status: 200, body: { text: 'call me back' } };
  });

  const transcribe = (options: { key?: string; timeout_ms?: number } = {}) =>
    createOpenAiSpeech({ url, model: 'small', ...options }).transcribe(Buffer.from('sound'), 'audio/ogg');

  it('sends the audio with model and key, and returns the transcript', async () => {
    expect(await transcribe({ key: 'a key' })).toEqual({ text: 'call me back' });
    const [{ path, authorization, form } = { path: '', authorization: '', form: '' }] = requests;
    expect([path, authorization]).toEqual(['/v1/audio/transcriptions', 'Bearer a key']);
    expect(form).toMatch(/name="model"\r\n\r\nsmall\r\n/);
    expect(form).toMatch(/name="file"; filename="sound.ogg"\r\nContent-Type: audio\/ogg\r\n\r\nsound\r\n/i);
  });

  it('returns undefined for unreadable audio or replies, and rejects with 503 for a retry', async () => {
    answer = { status: 400, body: { error: { message: 'the words of somebody' } } };
    expect(await transcribe()).toBeUndefined();
    answer = { status: 503, body: { error: { message: 'the words of somebody' } } };
    await expect(transcribe({ key: 'a key' })).rejects.toThrow(/^the speech server answered 503$/);
    answer = { status: 200, body: { text: 7 } };
    expect(await transcribe()).toBeUndefined();
  });
});
