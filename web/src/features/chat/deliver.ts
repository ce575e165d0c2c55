import type { QueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { keepMessage } from '../messages/message-queries.ts';
import { nameOfPlace } from './chat-message.ts';
import { keepGroupMessage, keepWidgetMessage } from './chat-queries.ts';
import type { Unsent } from './outbox.ts';
import { whileUnderWay } from './under-way.ts';

/** Hands a message to the service by the operation of its place, and shows it there. */
export function deliverWith(queries: QueryClient): (unsent: Unsent) => Promise<void> {
  const post = async ({ place, body, media, reply_to, forward, key: idempotency_key }: Unsent) => {
    if (place.kind === 'thread') {
      const message = await sdk.dm.postThreadMessage({
        path: { thread_id: place.id },
        body: forward
          ? { forward }
          : {
              ...(body === '' ? {} : { body }),
              ...(media.length === 0 ? {} : { media: media.map(({ id }) => id) }),
              ...(reply_to === undefined ? {} : { reply_to }),
            },
        idempotency_key,
      });
      keepMessage(queries, message, 0);
      return;
    }
    const [file] = media;
    const words = forward
      ? { forward }
      : {
          ...(body === '' ? {} : { body }),
          ...(file === undefined ? {} : { file_id: file.id }),
          ...(reply_to === undefined ? {} : { reply_to }),
        };
    if (place.kind === 'group') {
      const path = { group_id: place.id };
      keepGroupMessage(queries, place.id, await sdk.chats.postGroupChat({ path, body: words, idempotency_key }));
    } else {
      const { id: widget_id, guest_id } = place;
      const message = await sdk.chats.postWidgetChat({
        path: { widget_id },
        body: { ...words, guest_id },
        idempotency_key,
      });
      keepWidgetMessage(queries, widget_id, guest_id, message);
    }
  };
  return (unsent) => whileUnderWay(nameOfPlace(unsent.place), unsent.body, () => post(unsent));
}
