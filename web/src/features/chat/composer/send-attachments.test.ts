/** In which message a text and its files are sent. */
import type { MediaFile } from '@asterism/sdk';
import { expect, it } from 'vitest';
import type { LocalFile } from '../../files/local-file.ts';
import { sendAll } from './send-attachments.ts';
import type { Attachment } from './send-attachments.ts';

const place = { kind: 'group', id: 'grp_1' } as const;
const uploaded = { id: 'file_1' } as unknown as MediaFile;
const local = { key: 'a' } as unknown as LocalFile;

function send(all: readonly Attachment[], reply_to?: string) {
  const sent: unknown[] = [];
  sendAll({ add: (_place, words) => void sent.push(words) }, { place, reply_to }, 'Look', all);
  return sent;
}

it('sends all files with the text in one message', () => {
  expect(send([local, uploaded], 'msg_1')).toEqual([
    { body: 'Look', media: [uploaded], files: [local], reply_to: 'msg_1' },
  ]);
});

it('sends a text alone', () => {
  expect(send([])).toEqual([{ body: 'Look', media: [] }]);
});
