import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../ui/empty-state.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { SegmentedControl } from './segmented-control.tsx';
import { useStopSharing, useUpdateSharing } from './location-mutations.ts';
import { locationSettingsQuery } from './location-queries.ts';
import type { LocationSettings } from './location-queries.ts';
import { describeSharing } from './location-text.ts';
import { PRECISIONS, ShareSheet } from './share-sheet.tsx';
import { usePosition } from './use-position.ts';
import { i18n } from '../../i18n/i18n.ts';

function Present({ settings }: { settings: LocationSettings }) {
  const [is_open, setOpen] = useState(false);
  const update = useUpdateSharing();
  const stop = useStopSharing(settings);
  const is_on = settings.mode !== 'off';
  const { problem } = usePosition(is_on);
  return (
    <section className="share" aria-label={i18n.t('Your location')}>
      <h2 aria-live="polite" dir="auto">
        {describeSharing(settings)}
      </h2>
      <p className="soft small">
        {is_on
          ? settings.precision === 'exact'
            ? i18n.t('They see your precise location. Sharing ends automatically.')
            : i18n.t('They see a circle of 1 km, never your precise location. Sharing ends automatically.')
          : i18n.t('You choose who sees you, how precisely and until when.')}
      </p>
      {is_on ? (
        <SegmentedControl
          label={i18n.t('Precision')}
          options={PRECISIONS}
          value={settings.precision}
          onChange={(precision) => update.mutate({ precision })}
        />
      ) : null}
      {is_on && problem !== undefined ? (
        <p className="notice" data-tone="danger" role="alert">
          {problem}
        </p>
      ) : null}
      <div className="share-actions">
        <button
          type="button"
          className={is_on ? 'button quiet' : 'button primary full-width'}
          onClick={() => setOpen(true)}
        >
          {is_on ? i18n.t('Change') : i18n.t('Share your location')}
        </button>
        {is_on ? (
          <button type="button" className="button danger" onClick={stop}>
            {i18n.t('Stop sharing')}
          </button>
        ) : null}
      </div>
      {is_open ? <ShareSheet settings={settings} open onClose={() => setOpen(false)} /> : null}
    </section>
  );
}

/** Who sees the reader's location and until when, with a button to stop it. */
export function SharingPanel() {
  const settings = useQuery(locationSettingsQuery);
  if (settings.isPending) return <SkeletonBlock height="132px" />;
  if (settings.data === undefined)
    return <Failure text={describeProblem(settings.error)} onRetry={() => void settings.refetch()} />;
  return <Present settings={settings.data} />;
}
