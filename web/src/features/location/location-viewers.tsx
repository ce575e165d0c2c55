import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Row } from '../../ui/row.tsx';
import { describeWhen } from '../../ui/when.tsx';
import { locationViewsQuery } from './location-queries.ts';
import type { LocationView } from './location-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

function describeViews({ last_at, count }: LocationView): string {
  return i18n.t('{count, plural, one {Viewed once, last {when}} other {Viewed # times, last {when}}}', {
    count,
    when: describeWhen(last_at),
  });
}

/** Who has looked at the reader's location, the latest first. */
export function LocationViewers() {
  const views = useQuery(locationViewsQuery);
  const items = views.data?.items ?? [];
  return (
    <section aria-labelledby="looked-heading">
      <div className="place-head">
        <h2 id="looked-heading">{i18n.t('Who viewed it')}</h2>
      </div>
      {views.isError ? <p className="field-error place-none">{describeProblem(views.error)}</p> : null}
      {views.isSuccess && items.length === 0 ? (
        <p className="soft small place-none">{i18n.t('No one has viewed your location.')}</p>
      ) : null}
      <ul>
        {items.map((view) => (
          <li key={view.viewer?.id ?? view.link_id} className="row">
            <Row
              picture={
                view.viewer === null ? (
                  <Eye aria-hidden="true" />
                ) : (
                  <Avatar name={view.viewer.username} called={nameOf(view.viewer)} url={view.viewer.avatar_url} />
                )
              }
              title={view.viewer === null ? i18n.t('Someone with your link') : nameOf(view.viewer)}
              detail={describeViews(view)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
