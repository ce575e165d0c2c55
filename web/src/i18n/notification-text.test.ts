import { describe, expect, it } from 'vitest';
import { job_kinds, job_names } from '../../../server/domain/scheduling/job-kinds.ts';
import { notification_kinds } from '../../../server/domain/notifications/notification-kinds.ts';
import { notificationText } from './notification-text.ts';

const kinds = Object.entries(notification_kinds);

describe('notificationText', () => {
  it.each(kinds)('equals the English text of the service for "%s"', (kind, sentences) => {
    for (const [actor_count, sentence] of [
      [1, sentences.one],
      [3, sentences.many],
    ] as const) {
      for (const job_kind of kind === 'job_failed' ? job_kinds : [undefined]) {
        const expected = sentence
          .replace('{actor}', 'Ada')
          .replace('{count}', '3')
          .replace('{job}', job_names[job_kind ?? 'text'])
          .replace('{when}', 'soon')
          .replace('{subject}', '*jazz');
        const facts = { kind, actor: 'Ada', actor_count, subject: '*jazz', job_kind, text: 'what the service says' };
        expect(notificationText(facts)).toBe(expected);
      }
    }
  });

  it.each([
    [0, 'now'],
    [10, 'in 10 minutes'],
    [90, 'in 90 minutes'],
    [120, 'in 2 hours'],
    [1440, 'in 1 day'],
    [20_160, 'in 2 weeks'],
  ])('says when an event starts, %i minutes before', (minutes_before, when) => {
    const facts = { kind: 'event_reminder', actor: 'Ada', actor_count: 1, subject: 'Rehearsal', text: '' };
    expect(notificationText({ ...facts, minutes_before })).toBe(`Rehearsal starts ${when}`);
  });

  it('names the person to follow where no tag is given', () => {
    const facts = { kind: 'follow_request', actor: 'Ada', subject: undefined, text: '' };
    expect(notificationText({ ...facts, actor_count: 1 })).toBe('Ada requested to follow you');
    expect(notificationText({ ...facts, actor_count: 2 })).toBe('2 people requested to follow you');
    expect(notificationText({ ...facts, kind: 'follow', actor_count: 1, text: 'as it was' })).toBe('as it was');
  });

  it.each(kinds.filter(([kind, { one }]) => one.includes('{subject}') && kind !== 'follow_request'))(
    'uses the text of the service for "%s" without the name of its subject',
    (kind) => {
      const facts = { kind, actor: 'Ada', actor_count: 1, subject: undefined, text: 'what the service says' };
      expect(notificationText(facts), `add '${kind}' to NAMED in notification-text.ts`).toBe(facts.text);
    },
  );

  it('uses the text of the service for an unknown kind', () => {
    const facts = { kind: 'later', actor: undefined, actor_count: 0, subject: 'Water', text: 'Water the plants' };
    expect(notificationText(facts)).toBe('Water the plants');
  });
});
