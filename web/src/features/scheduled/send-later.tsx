import { Clock } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useSchedule } from './scheduled-mutations.ts';
import type { JobDraft } from './scheduled-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

const WhenSheet = lazy(() => import('./when-sheet.tsx').then((module) => ({ default: module.WhenSheet })));

/** What is done later, without its time. */
export type LaterDraft = Omit<JobDraft, 'run_at' | 'timezone' | 'rrule'>;

interface SendLaterProps {
  /**
   * What is in the composer now: a draft, or a sentence that says why it cannot be sent later, such as that there is
   * nothing in it or that files do not wait.
   */
  read: () => LaterDraft | string;
  /** It is scheduled: the composer can be emptied. */
  onScheduled: () => void;
  className?: string;
}

/** The button of a composer that sends at a chosen time what is in it. */
export function SendLater({ read, onScheduled, className = 'ib' }: SendLaterProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [draft, setDraft] = useState<LaterDraft>();
  const schedule = useSchedule(() => {
    setDraft(undefined);
    onScheduled();
  });
  const open = () => {
    const found = read();
    if (typeof found === 'string') showToast(found);
    else setDraft(found);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="dialog"
        title={i18n.t('Send later')}
        onClick={open}
      >
        <Clock aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Send later')}</span>
      </button>
      {draft === undefined ? null : (
        <Suspense>
          <WhenSheet
            title={i18n.t('Send later')}
            act={i18n.t('Schedule')}
            is_busy={schedule.isPending}
            returnTo={button}
            onClose={() => setDraft(undefined)}
            onChosen={({ rrule, ...time }) =>
              schedule.mutate({ ...draft, ...time, ...(rrule === null ? {} : { rrule }) })
            }
          />
        </Suspense>
      )}
    </>
  );
}
