/**
 * Speech recognition by a server with OpenAI's `POST /audio/transcriptions`: hosted ones, whisper.cpp, faster-whisper.
 */
import { askProvider, readJson } from '../answers.ts';
import type { Speech } from '../ports.ts';

/** A server with OpenAI's transcription API (`POST /audio/transcriptions`), and the model to use. */
export type OpenAiSpeechOptions = {
  /** The base address including the version, such as `http://127.0.0.1:9000/v1`. */
  url: string;
  key?: string | undefined;
  model: string;
  timeout_ms?: number;
};

/** The models only read the end of a longer prompt. */
const max_prompt = 600;

/**
 * `transcribe` rejects when the server does not answer for `timeout_ms` (2 min) or returns an error; errors contain
 * neither key nor text.
 */
export function createOpenAiSpeech({ url, key, model, timeout_ms = 120_000 }: OpenAiSpeechOptions): Speech {
  const ending = new AbortController();
  return {
    async transcribe(bytes, content_type, hints) {
      const form = new FormData();
      form.set('model', model);
      form.set('response_format', 'json');
      // The prompt makes the model expect these words.
      if (hints) form.set('prompt', hints.phrases.join('. ').slice(0, max_prompt));
      // Servers detect the format by the file name.
      form.set('file', new Blob([new Uint8Array(bytes)], { type: content_type }), `sound.${endingOf(content_type)}`);
      const answer = await askProvider(`${url}/audio/transcriptions`, {
        method: 'POST',
        headers: key ? { authorization: `Bearer ${key}` } : {},
        body: form,
        signal: ending.signal,
        timeout_ms: Math.min(timeout_ms, hints?.timeout_ms ?? timeout_ms),
      });
      // A retry would not help with unreadable input.
      if (answer.status === 400 || answer.status === 415 || answer.status === 422) return undefined;
      if (!answer.ok) throw new Error(`the speech server answered ${answer.status}`);
      const { text } = readJson<{ text: unknown }>(answer.text);
      return typeof text === 'string' ? { text } : undefined;
    },
    close() {
      ending.abort();
      return Promise.resolve();
    },
  };
}

const endings: Record<string, string> = {
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'video/mp4': 'mp4',
  'video/quicktime': 'mp4',
};

const endingOf = (content_type: string) => endings[content_type] ?? 'webm';
