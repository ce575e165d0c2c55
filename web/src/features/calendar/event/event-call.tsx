import { ApiError } from '@asterism/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Link2, Phone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sdk } from '../../../asterism.ts';
import { copyText } from '../../../ui/overlay/copy-text.ts';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { callState, describeTime } from '../event-text.ts';
import { i18n } from '../../../i18n/i18n.ts';

const TICK_MS = 15_000;
const OPENS_BEFORE_MS = 10 * 60_000;

function useNow(): number {
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now_ms;
}

function opensAt({ starts_at }: Span): string {
  return new Date(Date.parse(starts_at) - OPENS_BEFORE_MS).toISOString();
}

/** The first person starts the call by requesting access; choosing camera and microphone comes next. */
function useJoin(join_code: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => sdk.calls.createSfuGrant({ path: { join_code } }),
    onSuccess: () => void navigate({ to: '/j/$joinCode', params: { joinCode: join_code } }),
    onError: (error) => {
      const opens_at = error instanceof ApiError ? error.details['opens_at'] : undefined;
      showToast(
        typeof opens_at === 'string'
          ? i18n.t('The call opens at {time}.', { time: describeTime(opens_at) })
          : describeProblem(error),
      );
    },
  });
}

/** The call of an event: can be joined within its window, and its link copied at any time. */
export function EventCall({ event, span }: { event: CalendarEvent; span: Span }) {
  const state = callState(span, event.all_day, useNow());
  const { join_code } = event.call;
  const join = useJoin(join_code ?? '');
  if (join_code === undefined) return null;
  const words = {
    early: event.all_day
      ? i18n.t('The call opens on the day.')
      : i18n.t('The call opens at {time}.', { time: describeTime(opensAt(span)) }),
    open: i18n.t('The call is open now.'),
    over: i18n.t('This call is over.'),
  }[state];
  return (
    <section className="cal-call night" aria-label={i18n.t('Event call')}>
      <p role="status">{words}</p>
      <div className="cal-actions">
        {state === 'open' ? (
          <button type="button" className="button gold" disabled={join.isPending} onClick={() => join.mutate()}>
            <Phone aria-hidden="true" />
            {i18n.t('Join')}
          </button>
        ) : null}
        <button
          type="button"
          className="button quiet"
          onClick={() => void copyText(`${location.origin}/app/j/${join_code}`, i18n.t('Call link copied.'))}
        >
          <Link2 aria-hidden="true" />
          {i18n.t('Copy call link')}
        </button>
      </div>
    </section>
  );
}
