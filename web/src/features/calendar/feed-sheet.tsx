import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { copyText } from '../../ui/overlay/copy-text.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Failure } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/form.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useChangeFeed } from './calendar-mutations.ts';
import { feedQuery } from './calendar-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The secret feed address for other calendars: copied, replaced or revoked. */
export function FeedSheet({ onClose }: { onClose: () => void }) {
  const feed = useQuery(feedQuery);
  const change = useChangeFeed();
  const field = useRef<HTMLInputElement>(null);
  const url = feed.data?.url;
  const renew = () => change.mutate('renew');
  return (
    <Sheet open onClose={onClose} title={i18n.t('Subscribe from another calendar')}>
      <p className="soft">
        {i18n.t(
          'Anyone with this link can read your events. Add it as a subscription in your other calendar; it stays up to date.',
        )}
      </p>
      {feed.isPending ? <Skeleton what={i18n.t('Loading the link')} rows={1} /> : null}
      {feed.isError ? <Failure text={describeProblem(feed.error)} onRetry={() => void feed.refetch()} /> : null}
      {url === undefined ? null : (
        <>
          <TextField
            ref={field}
            label={i18n.t('Calendar link')}
            readOnly
            value={url}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <div className="cal-actions">
            <button type="button" className="button primary" onClick={() => void copyText(url, i18n.t('Link copied.'))}>
              {i18n.t('Copy link')}
            </button>
            <a className="button quiet" href={url.replace(/^https?:/, 'webcal:')}>
              {i18n.t('Subscribe on this device')}
            </a>
            <Confirm
              trigger={
                <button type="button" className="button quiet">
                  {i18n.t('New link')}
                </button>
              }
              title={i18n.t('Create a new link?')}
              text={i18n.t('Calendars that use the current link will no longer be updated.')}
              action={i18n.t('Create a new link')}
              onConfirm={renew}
            />
            <Confirm
              trigger={
                <button type="button" className="button danger">
                  {i18n.t('Stop sharing')}
                </button>
              }
              title={i18n.t('Stop sharing your calendar?')}
              text={i18n.t('Calendars that use this link will no longer be updated. You can create a new link later.')}
              action={i18n.t('Stop sharing')}
              onConfirm={() => change.mutate('stop')}
            />
          </div>
        </>
      )}
      {feed.data === null ? (
        <button type="button" className="button primary" disabled={change.isPending} onClick={renew}>
          {i18n.t('Create a link')}
        </button>
      ) : null}
    </Sheet>
  );
}
