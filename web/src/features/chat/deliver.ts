import type { Asterism, ChatMessage, Input, MediaFile } from '@asterism/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { cacheMessage } from '../../data/queries/message-queries.ts';
import { keyOfPlace } from './chat-place.ts';
import { cacheChatMessage } from './chat-queries.ts';
import type { NamedChat } from './chat-queries.ts';
import { loadUnsentFiles } from '../files/attached-files.ts';
import type { LocalFile } from '../files/local-file.ts';
import type { Deliver } from './outbox.ts';
import type { Unsent } from './unsent.ts';
import { whileInFlight } from '../../data/in-flight.ts';

/** A chat that is not a thread. */
type SharedPlace = Exclude<Unsent['place'], { kind: 'thread' }>;

async function postDirect(queries: QueryClient, thread_id: string, unsent: Unsent): Promise<string> {
  const { body, media, reply_to, forward, key: idempotency_key } = unsent;
  const message = await sdk.dm.postThreadMessage({
    path: { thread_id },
    body: forward
      ? { forward }
      : {
          ...(body === '' ? {} : { body }),
          ...(media.length === 0 ? {} : { media: media.map(({ id }) => id) }),
          ...(reply_to === undefined ? {} : { reply_to }),
        },
    idempotency_key,
  });
  cacheMessage(queries, message, 0);
  return message.id;
}

/** Posts the parts of one message of a call, a group or a widget. */
async function postShared(client: Asterism, place: SharedPlace, unsent: Unsent): Promise<[NamedChat, ChatMessage]> {
  const { body, media, reply_to, forward, key: idempotency_key } = unsent;
  const [file, ...others] = media;
  const words = {
    ...(body === '' ? {} : { body }),
    ...(file === undefined ? {} : others.length === 0 ? { file_id: file.id } : { file_ids: media.map(({ id }) => id) }),
    ...(reply_to === undefined ? {} : { reply_to }),
  };
  if (place.kind === 'group') {
    const path = { group_id: place.id };
    return [path, await client.chats.postGroupChat({ path, body: forward ? { forward } : words, idempotency_key })];
  }
  if (place.kind === 'call') {
    const path = { join_code: place.id };
    return [path, await client.calls.postCallChat({ path, body: forward ? { forward } : words, idempotency_key })];
  }
  const { id: widget_id, guest_id } = place;
  const message = await client.widgetChats.postWidgetChat({
    path: { widget_id },
    body: { ...(forward ? { forward } : words), guest_id },
    idempotency_key,
  });
  return [{ widget_id, guest_id }, message];
}

/** Uploads the files of a message. */
async function uploadAll(
  files: readonly LocalFile[],
  message_key: string,
  upload: (input: Input<'files', 'uploadFile'>) => Promise<MediaFile>,
): Promise<MediaFile[]> {
  const uploaded: MediaFile[] = [];
  if (files.length === 0) return uploaded;
  const { uploadUnsentFile } = await loadUnsentFiles();
  for (const file of files) uploaded.push(await uploadUnsentFile(file, message_key, upload));
  return uploaded;
}

/**
 * Sends a message with the operation of its place, and adds it to the cached chat; or changes a message.
 * @param client the client of the author: of the account by default
 * @param author_id an account or a guest, the identity of the client
 */
export function deliverWith(queries: QueryClient, client: Asterism = sdk, author_id = ''): Deliver {
  const upload = (input: Input<'files', 'uploadFile'>) => client.files.uploadFile(input);
  const post = async (written: Unsent) => {
    const { place, files = [] } = written;
    const unsent = { ...written, media: [...written.media, ...(await uploadAll(files, written.key, upload))] };
    if (place.kind === 'thread') return postDirect(queries, place.id, unsent);
    const [chat, message] = await postShared(client, place, unsent);
    cacheChatMessage(queries, chat, message);
    return message.id;
  };
  return async (unsent) => {
    const { change, place } = unsent;
    if (change === undefined) return whileInFlight(keyOfPlace(place), unsent.body, () => post(unsent));
    const { deliverChange, workOf } = await import('./message-work.ts');
    await deliverChange(workOf(queries, client, place, author_id), change);
    return undefined;
  };
}
