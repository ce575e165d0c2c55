import type { MediaFile } from '@asterism/sdk';
import type { LocalFile } from '../../files/local-file.ts';
import type { ChatPlace } from '../chat-place.ts';
import type { Outbox } from '../outbox.ts';
import type { Unsent } from '../unsent.ts';

/** A file of a message: uploaded already, or still only on this device. */
export type Attachment = MediaFile | LocalFile;

interface SendOptions {
  readonly place: ChatPlace;
  /** The identifier of the message that is replied to. */
  readonly reply_to: string | undefined;
}

/** Attachments as the outbox holds them: those that are not uploaded yet follow the others. */
function attach(all: readonly Attachment[]): Pick<Unsent, 'media' | 'files'> {
  const files = all.filter((one): one is LocalFile => !('id' in one));
  return { media: all.filter((one): one is MediaFile => 'id' in one), ...(files.length === 0 ? {} : { files }) };
}

/** Queues a text and its files, as one message. */
export function sendAll(
  outbox: Pick<Outbox, 'add'>,
  { place, reply_to }: SendOptions,
  body: string,
  all: readonly Attachment[],
): void {
  const reply = reply_to === undefined ? {} : { reply_to };
  outbox.add(place, { body, ...attach(all), ...reply });
}
