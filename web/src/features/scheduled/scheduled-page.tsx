import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EditJob } from './edit-job.tsx';
import { useScheduled } from './scheduled-queries.ts';
import type { JobState, ScheduledJob } from './scheduled-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { JobRow } from './job-row.tsx';
import './scheduled.css';

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
    return i18n.t('Nothing sent yet');
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
