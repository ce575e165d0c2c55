import { Link } from '@tanstack/react-router';
import { Bell, MessageCircle, Phone, Plus, RotateCw, Star } from 'lucide-react';
import { useState } from 'react';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { describeRule } from '../calendar/recurrence/recurrence-text.ts';
import { EditJob } from './edit-job.tsx';
import { useCancelJob, useRetryJob } from './scheduled-mutations.ts';
import { useScheduled } from './scheduled-queries.ts';
import type { JobState, ScheduledJob } from './scheduled-queries.ts';
import './scheduled.css';
import { describeFailure, describeMoment, nameOfKind } from './scheduled-text.ts';
import { useNameOfTarget } from './target-names.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

const ICONS = { text: MessageCircle, call: Phone, status: Star, reminder: Bell } as const;

function JobActions({ job, onEdit }: { job: ScheduledJob; onEdit: () => void }) {
  const cancel = useCancelJob();
  const retry = useRetryJob();
  if (job.state === 'scheduled')
    return (
      <>
        <button type="button" className="button quiet small" onClick={onEdit}>
          {i18n.t('Edit')}
        </button>
        <button
          type="button"
          className="button quiet small"
          disabled={cancel.isPending}
          onClick={() => cancel.mutate(job)}
        >
          {i18n.t('Cancel')}
        </button>
      </>
    );
  if (job.state !== 'failed') return null;
  return (
    <>
      <button type="button" className="button quiet small" disabled={retry.isPending} onClick={() => retry.mutate(job)}>
        <RotateCw aria-hidden="true" />
        {i18n.t('Retry')}
      </button>
      <button
        type="button"
        className="button quiet small"
        disabled={cancel.isPending}
        onClick={() => cancel.mutate(job)}
      >
        {i18n.t('Dismiss')}
      </button>
    </>
  );
}

function JobRow({ job, onEdit }: { job: ScheduledJob; onEdit: () => void }) {
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

const EMPTY: Readonly<Record<string, string>> = {
  get scheduled() {
    return i18n.t('Write a message or a post and press the clock beside Send.');
  },
  get failed() {
    return i18n.t('Messages that couldn’t be sent are listed here.');
  },
  get done() {
    return i18n.t('Sent messages are listed here for 90 days.');
  },
};
const TITLES: Readonly<Record<string, string>> = {
  get scheduled() {
    return i18n.t('Nothing is scheduled');
  },
  get failed() {
    return i18n.t('Nothing has failed');
  },
  get done() {
    return i18n.t('Nothing done yet');
  },
};

function JobList({ state, onEdit }: { state: JobState; onEdit: (job: ScheduledJob) => void }) {
  const list = useScheduled(state);
  if (list.isPending) return <Skeleton what={i18n.t('Loading scheduled messages')} rows={3} />;
  if (list.isError) return <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />;
  if (list.items.length === 0)
    return (
      <EmptyState title={TITLES[state] ?? ''} text={EMPTY[state]}>
        {state === 'scheduled' ? (
          <Link to="/messages" className="button quiet">
            {i18n.t('Open your chats')}
          </Link>
        ) : null}
      </EmptyState>
    );
  // The next job is first.
  const due = ({ next_run_at, run_at }: ScheduledJob) => next_run_at ?? run_at;
  const jobs = state === 'scheduled' ? list.items.toSorted((a, b) => due(a).localeCompare(due(b))) : list.items;
  return (
    <>
      <ul className="sched-list">
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} onEdit={() => onEdit(job)} />
        ))}
      </ul>
      <More list={list} what={i18n.t('scheduled')} />
    </>
  );
}

const listTabs = (): readonly (readonly [JobState, string])[] => [
  ['scheduled', i18n.t('Upcoming')],
  ['failed', i18n.t('Failed')],
  ['done', i18n.t('Done')],
];

/** Scheduled, failed and finished jobs. */
export function ScheduledPage() {
  const [state, setState] = useState<JobState>('scheduled');
  const [edited, setEdited] = useState<ScheduledJob | 'new'>();
  return (
    <Page
      title={i18n.t('Scheduled')}
      back={<GoBack to="/settings" />}
      narrow
      actions={
        <button type="button" className="button quiet small" onClick={() => setEdited('new')}>
          <Plus aria-hidden="true" />
          {i18n.t('Reminder')}
        </button>
      }
    >
      <div className="seg" role="group" aria-label={i18n.t('Show')}>
        {listTabs().map(([name, words]) => (
          <button key={name} type="button" aria-pressed={name === state} onClick={() => setState(name)}>
            {words}
          </button>
        ))}
      </div>
      <section aria-label={listTabs().find(([name]) => name === state)?.[1]}>
        <JobList state={state} onEdit={setEdited} />
      </section>
      {edited === undefined ? null : (
        <EditJob job={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  );
}
