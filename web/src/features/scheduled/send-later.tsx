import { Clock } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useSchedule } from './scheduled-mutations.ts';
import type { JobDraft } from './scheduled-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

const WhenSheet = lazy(() => import('./when-sheet.tsx').then((module) => ({ default: module.WhenSheet })));

/** A scheduled job without its time. */
export type LaterDraft = Omit<JobDraft, 'run_at' | 'timezone' | 'rrule'>;

interface SendLaterProps {
  /**
   * The current content of the composer: a draft, or the reason why it cannot be scheduled, such as that it is empty or
   * contains files.
   */
  read: () => LaterDraft | string;
  /** Called after scheduling: the composer can be emptied. */
  onScheduled: () => void;
  className?: string;
}

/** The button of a composer that schedules its content. */
export function SendLater({ read, onScheduled, className = 'icon-button' }: SendLaterProps) {
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
            action={i18n.t('Schedule')}
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
