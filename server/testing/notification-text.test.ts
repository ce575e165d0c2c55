import { describe, expect, it } from 'vitest';
import { notification_kinds } from '../domain/notifications/notification-kinds.ts';
import { notificationText } from '../../web/src/features/notifications/notification-text.ts';

/** Kinds whose words are the reader's own, or the reason of a failure. */
const own_words = new Set(['reminder', 'job_failed']);
const spoken = Object.entries(notification_kinds).filter(([kind]) => !own_words.has(kind));

describe('what the web client says of a notification', () => {
  it.each(spoken)('is in English what the service says of "%s"', (kind, sentences) => {
    for (const [actor_count, sentence] of [
      [1, sentences.one],
      [3, sentences.many],
    ] as const) {
      const said = sentence.replace('{actor}', 'Ada').replace('{count}', '3').replace('{subject}', '*jazz');
      const facts = { kind, actor: 'Ada', actor_count, subject: '*jazz', text: 'what the service says' };
      expect(notificationText(facts)).toBe(said);
    }
  });

  it('says whom somebody asks to follow where no tag is named', () => {
    const facts = { kind: 'follow_request', actor: 'Ada', subject: undefined, text: '' };
    expect(notificationText({ ...facts, actor_count: 1 })).toBe('Ada asks to follow you');
    expect(notificationText({ ...facts, actor_count: 2 })).toBe('2 people ask to follow you');
    expect(notificationText({ ...facts, kind: 'follow', actor_count: 1, text: 'as it was' })).toBe('as it was');
  });

  it.each([...own_words, 'a kind of a later version'])('is the words of the service for "%s"', (kind) => {
    const facts = { kind, actor: undefined, actor_count: 0, subject: 'Water', text: 'Water the plants' };
    expect(notificationText(facts)).toBe('Water the plants');
  });
});
