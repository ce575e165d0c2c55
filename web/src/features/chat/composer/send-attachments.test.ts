/** In which messages a text and its files are sent. */
import type { MediaFile } from '@asterism/sdk';
import { expect, it } from 'vitest';
import type { LocalFile } from '../../files/local-file.ts';
import { sendAll } from './send-attachments.ts';
import type { Attachment } from './send-attachments.ts';

const place = { kind: 'group', id: 'grp_1' } as const;
const uploaded = { id: 'file_1' } as unknown as MediaFile;
const local = { key: 'a' } as unknown as LocalFile;

function send(is_one_message: boolean, all: readonly Attachment[], reply_to?: string) {
  const sent: unknown[] = [];
  sendAll({ add: (_place, words) => void sent.push(words) }, { place, is_one_message, reply_to }, 'Look', all);
  return sent;
}

it('sends all files with the text in one message', () => {
  expect(send(true, [local, uploaded], 'msg_1')).toEqual([
    { body: 'Look', media: [uploaded], files: [local], reply_to: 'msg_1' },
  ]);
});

it('sends each further file as a message of its own; only the first has the text and the reply', () => {
  expect(send(false, [uploaded, local], 'msg_1')).toEqual([
    { body: 'Look', media: [uploaded], reply_to: 'msg_1' },
    { body: '', media: [], files: [local] },
  ]);
});

it('sends a text alone', () => {
  expect(send(false, [])).toEqual([{ body: 'Look', media: [] }]);
});
