import { useState } from 'react';
import { AreaField } from '../../ui/form.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useReschedule, useSchedule } from './scheduled-mutations.ts';
import type { ScheduledJob } from './scheduled-queries.ts';
import { draftOf } from './scheduled-text.ts';
import { WhenSheet } from './when-sheet.tsx';
import type { ChosenTime } from './when-sheet.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Reminders are only for their owner, and short. */
const MAX_LETTERS = {
  text: MAX_LENGTH.scheduled_message,
  call: 0,
  status: MAX_LENGTH.status,
  reminder: 1_000,
} as const;

/** Edits the text and time of a scheduled job; without a job it creates a reminder. */
export function EditJob({ job, onClose }: { job: ScheduledJob | undefined; onClose: () => void }) {
  const [body, setBody] = useState(job?.body ?? '');
  const replace = useReschedule(onClose);
  const create = useSchedule(onClose);
  const kind = job?.kind ?? 'reminder';
  const save = ({ run_at, timezone, rrule }: ChosenTime) => {
    if (kind !== 'call' && body.trim() === '') return showToast(i18n.t('Write something first.'));
    const words = kind === 'call' ? {} : { body: body.trim() };
    const time = { run_at, timezone, ...(rrule === null ? {} : { rrule }) };
    if (job === undefined) return create.mutate({ kind, ...words, ...time });
    const { rrule: _before, ...draft } = draftOf(job);
    return replace.mutate({ job, draft: { ...draft, ...words, ...time } });
  };
  return (
    <WhenSheet
      title={job === undefined ? i18n.t('New reminder') : i18n.t('Edit')}
      action={job === undefined ? i18n.t('Remind me') : i18n.t('Save')}
      start={job && { run_at: job.next_run_at ?? job.run_at, timezone: job.timezone, rrule: job.rrule }}
      is_busy={replace.isPending || create.isPending}
      onChosen={save}
      onClose={onClose}
    >
      {kind === 'call' ? null : (
        <AreaField
          label={kind === 'reminder' ? i18n.t('What is it about?') : i18n.t('Text')}
          value={body}
          rows={3}
          dir="auto"
          autoFocus
          maxLength={MAX_LETTERS[kind]}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
        />
      )}
    </WhenSheet>
  );
}
