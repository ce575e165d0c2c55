/** What the web client's worker shows of a push: the English text of the service, or its translation. */
import { afterAll, describe, expect, it } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import german from './locales/de.json' with { type: 'json' };
import { pushText, type Push } from './push-text.ts';

const settled = { type: 'call.settled', title: 'Ada' };
const inbox = { type: 'inbox.message', title: 'Ada' };
const note = { type: 'notification.created', title: '' };

/** Pushes with their text, as the service sends them, and that text in German. */
const pushes: [Push & { text: string }, string][] = [
  [{ type: 'call.ringing', title: 'Ada', text: 'Ada is calling you', ring: 'call' }, 'Ada ruft dich an'],
  [{ ...settled, state: 'no_answer', text: 'You missed a call from Ada' }, 'Verpasster Anruf von Ada'],
  [{ ...settled, state: 'declined', text: 'Declined on another device' }, 'Auf einem anderen Gerät abgelehnt'],
  [{ ...settled, state: 'joined', text: 'Answered on another device' }, 'Auf einem anderen Gerät angenommen'],
  [{ ...settled, state: 'left', title: '', text: '' }, 'Ein Anruf für dich ist vorbei'],
  [{ ...inbox, kind: 'voicemail', text: 'Ada left you a voicemail' }, 'Ada hat dir eine Sprachnachricht hinterlassen'],
  [{ ...inbox, kind: 'videomail', text: 'Ada sent you a videomail' }, 'Ada hat dir eine Videonachricht geschickt'],
  [{ ...inbox, kind: 'text', text: 'Ada: See you' }, 'Ada: See you'],
  [{ type: 'dm.message', title: 'Ada', text: 'See you' }, 'See you'],
  [
    { type: 'dm.message', title: 'Ada', file_from: 'Ada', file_count: '3', file_kind: 'image', text: '3 photos' },
    '3 Fotos',
  ],
  [
    {
      type: 'chat.message',
      title: 'Choir',
      file_from: 'Ada',
      file_count: '2',
      file_kind: 'other',
      text: 'Ada: 2 files',
    },
    'Ada: 2 Dateien',
  ],
  [{ type: 'dm.message', title: 'Ada', file_from: 'Ada', text: 'Sent you a file' }, 'Hat dir eine Datei geschickt'],
  [
    { type: 'chat.message', title: 'Choir', file_from: 'Ada', text: 'Ada: Sent a file' },
    'Ada: Hat eine Datei geschickt',
  ],
  [
    {
      ...note,
      kind: 'job_failed',
      job_kind: 'call',
      subject_name: 'You did not answer.',
      text: 'Your scheduled call failed: You did not answer.',
    },
    'Dein geplanter Anruf ist fehlgeschlagen: You did not answer.',
  ],
];

describe('the text of a push', () => {
  afterAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

  it.each(pushes)('is that of the service, or its German translation (%#)', (push, german_text) => {
    i18n.loadAndActivate({ locale: 'en', messages: {} });
    expect(pushText(push)).toBe(push.text === '' ? 'A call for you is over' : push.text);
    i18n.loadAndActivate({ locale: 'de', messages: german });
    expect(pushText(push)).toBe(german_text);
  });

  it('is without the marks of formatting', () => {
    i18n.loadAndActivate({ locale: 'en', messages: {} });
    expect(pushText({ type: 'dm.message', title: 'Ada', text: '**At nine**, not `ten`' })).toBe('At nine, not ten');
    expect(pushText({ type: 'chat.message', title: 'Choir', text: 'Ada: _now_' })).toBe('Ada: now');
  });
});
