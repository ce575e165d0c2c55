import { Bell, MessageCircle, Phone, RotateCw, Star } from 'lucide-react';
import { describeRule } from '../calendar/recurrence/recurrence-text.ts';
import { useCancelJob, useRetryJob } from './scheduled-mutations.ts';
import type { ScheduledJob } from './scheduled-queries.ts';
import { describeFailure, describeMoment, nameOfKind } from './scheduled-text.ts';
import { useNameOfTarget } from './target-names.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

const ICONS = { text: MessageCircle, call: Phone, status: Star, reminder: Bell } as const;

/** Cancels a job, or dismisses one that has failed. */
function CancelButton({ job, label }: { job: ScheduledJob; label: string }) {
  const cancel = useCancelJob();
  return (
    <button type="button" className="button quiet small" disabled={cancel.isPending} onClick={() => cancel.mutate(job)}>
      {label}
    </button>
  );
}

function JobActions({ job, onEdit }: { job: ScheduledJob; onEdit: () => void }) {
  const retry = useRetryJob();
  if (job.state === 'scheduled')
    return (
      <>
        <button type="button" className="button quiet small" onClick={onEdit}>
          {i18n.t('Edit')}
        </button>
        <CancelButton job={job} label={i18n.t('Cancel')} />
      </>
    );
  if (job.state !== 'failed') return null;
  return (
    <>
      <button type="button" className="button quiet small" disabled={retry.isPending} onClick={() => retry.mutate(job)}>
        <RotateCw aria-hidden="true" />
        {i18n.t('Retry')}
      </button>
      <CancelButton job={job} label={i18n.t('Dismiss')} />
    </>
  );
}

/** A scheduled message or call, its time and its outcome, and what can be done with it. */
export function JobRow({ job, onEdit }: { job: ScheduledJob; onEdit: () => void }) {
  const Icon = ICONS[job.kind];
  const to = useNameOfTarget(job.target);
  const last = job.runs[0];
  const at = job.state === 'scheduled' ? (job.next_run_at ?? job.run_at) : (last?.at ?? job.run_at);
  const failed = job.state === 'failed' || (job.state === 'scheduled' && last?.state === 'failed');
  return (
    <li className="sched-job" aria-label={`${nameOfKind(job.kind)} ${describeMoment(at)}`}>
      <Icon aria-hidden="true" />
      <div className="sched-what">
        <p>
          <b>
            {to === undefined ? (
              nameOfKind(job.kind)
            ) : (
              <RichMessage
                text={i18n.t('{kind} to <to>{to}</to>', { kind: nameOfKind(job.kind), to })}
                parts={{ to: (words) => <bdi>{words}</bdi> }}
              />
            )}
          </b>
        </p>
        <p className="soft small">{describeMoment(at)}</p>
        {job.body === null ? null : (
          <p dir="auto" className="sched-body">
            {job.body}
          </p>
        )}
        {job.rrule === null ? null : <p className="soft small">{describeRule(job.rrule)}</p>}
        {failed ? (
          <p className="field-error">
            {job.state === 'scheduled'
              ? i18n.t('Last time: {failure}', { failure: describeFailure(job.last_error ?? last?.error ?? null) })
              : describeFailure(job.last_error ?? last?.error ?? null)}
          </p>
        ) : null}
        <div className="sched-actions">
          <JobActions job={job} onEdit={onEdit} />
        </div>
      </div>
    </li>
  );
}
