import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Row } from '../../ui/row.tsx';
import { describeDistance } from './distance-text.ts';
import { usePosition } from './use-position.ts';
import { i18n } from '../../i18n/i18n.ts';
import { nearbyKey } from './location-queries.ts';

const RADIUS_M = 25_000;

/** People near the reader who share their location with everyone. The search starts only when requested. */
export function Nearby() {
  const [is_asked, ask] = useState(false);
  const { coords, problem } = usePosition(is_asked);
  // Two decimals are about a kilometre: small movements do not repeat the search.
  const [latitude, longitude] = [coords?.latitude.toFixed(2), coords?.longitude.toFixed(2)];
  const found = useQuery({
    queryKey: nearbyKey(latitude, longitude),
    queryFn: ({ signal }) =>
      sdk.location.discoverLocation({
        query: { latitude: Number(latitude), longitude: Number(longitude), radius_m: RADIUS_M },
        signal,
      }),
    enabled: is_asked && latitude !== undefined,
    staleTime: 60_000,
  });
  return (
    <section aria-labelledby="nearby-heading">
      <div className="place-head">
        <h2 id="nearby-heading">{i18n.t('Near you')}</h2>
        <button
          type="button"
          className="button plain small"
          onClick={() => (is_asked ? void found.refetch() : ask(true))}
        >
          {is_asked ? i18n.t('Search again') : i18n.t('Find people nearby')}
        </button>
      </div>
      <div aria-live="polite">
        {problem !== undefined && coords === undefined ? <p className="field-error place-none">{problem}</p> : null}
        {found.isError ? <p className="field-error place-none">{describeProblem(found.error)}</p> : null}
        {is_asked && found.isLoading ? <p className="soft small place-none">{i18n.t('Searching…')}</p> : null}
        {found.data?.items.length === 0 ? (
          <p className="soft small place-none">{i18n.t('No one within 25 km is sharing with everyone.')}</p>
        ) : null}
        {is_asked ? null : (
          <p className="soft small place-none">
            {i18n.t('People who share with everyone. Your own location is only used to search.')}
          </p>
        )}
      </div>
      <ul>
        {found.data?.items.map(({ user, distance_m }) => (
          <li key={user.id} className="row">
            <Row
              picture={<Avatar name={user.username} called={nameOf(user)} url={user.avatar_url} />}
              title={nameOf(user)}
              detail={i18n.t('About {distance} away', { distance: describeDistance(Math.max(1000, distance_m)) })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
