import { useQuery } from '@tanstack/react-query';
import { LocateFixed, MapPinOff } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { PageHeading } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { describeWhen } from '../../ui/when.tsx';
import { LiveLinks } from './live-links.tsx';
import './location.css';
import { locationPeopleQuery, mapConfigQuery } from './location-queries.ts';
import type { PersonLocation } from './location-queries.ts';
import { describePoint, describeRelativePosition } from './distance-text.ts';
import { describeEnd } from './location-text.ts';
import { Nearby } from './nearby.tsx';
import { SharingPanel } from './sharing-panel.tsx';
import { useMayLocate, usePosition } from './use-position.ts';
import { LocationViewers } from './location-viewers.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The map library is large: it is loaded with the first map. */
const MapView = lazy(async () => ({ default: (await import('./map-view.tsx')).MapView }));

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

interface PeopleProps {
  me: Point | undefined;
  /** Whether there is a map to show positions. */
  has_map: boolean;
  onLocate: () => void;
  onGo: (person: PersonLocation) => void;
}

/**
 * The position of a person, since when and until when. Without a map and the reader's own position there are only
 * coordinates.
 */
function describePerson(person: PersonLocation, me: Point | undefined, has_map: boolean): string {
  const [when, end] = [describeWhen(person.recorded_at), describeEnd(person.expires_at)];
  if (me === undefined && has_map) return i18n.t('Seen {when}. Until {end}', { when, end });
  const place = me === undefined ? describePoint(person) : describeRelativePosition(person, me);
  return i18n.t('{place}, {when}. Until {end}', { place, when, end });
}

/** People who share their location with the reader; pressing one centres the map on them. */
function People({ me, has_map, onLocate, onGo }: PeopleProps) {
  const people = useQuery(locationPeopleQuery);
  const items = people.data?.items ?? [];
  return (
    <section aria-labelledby="seen-heading">
      <div className="place-head">
        <h2 id="seen-heading">{i18n.t('Shared with you')}</h2>
        {me === undefined && items.length > 0 ? (
          <button type="button" className="button plain small" onClick={onLocate}>
            {i18n.t('Show distance')}
          </button>
        ) : null}
      </div>
      {people.isPending ? <Skeleton rows={2} what={i18n.t('Loading people')} /> : null}
      {people.isError ? <Failure text={describeProblem(people.error)} onRetry={() => void people.refetch()} /> : null}
      {people.isSuccess && items.length === 0 ? (
        <EmptyState
          level={3}
          title={i18n.t('No one right now')}
          text={i18n.t('People who share their location with you appear here.')}
        />
      ) : null}
      <ul>
        {items.map((person) => (
          <li key={person.user.id}>
            <button type="button" className="row" onClick={() => onGo(person)}>
              <Row
                picture={
                  <Avatar name={person.user.username} called={nameOf(person.user)} url={person.user.avatar_url} />
                }
                title={nameOf(person.user)}
                detail={describePerson(person, me, has_map)}
              />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoMap() {
  return (
    <div className="nomap">
      <MapPinOff aria-hidden="true" />
      <p>{i18n.t('This browser can’t draw the map. The list says where everyone is.')}</p>
    </div>
  );
}

interface GroundProps {
  me: Point | undefined;
  focus: Point | undefined;
  has_map: boolean;
  onFailed: () => void;
}

function Ground({ me, focus, has_map, onFailed }: GroundProps) {
  const config = useQuery(mapConfigQuery).data;
  const people = useQuery(locationPeopleQuery).data?.items;
  if (!has_map) return <NoMap />;
  if (config === undefined) return null;
  return (
    <Suspense fallback={null}>
      <MapView config={config} people={people ?? NOBODY} me={me} focus={focus} onFailed={onFailed} />
    </Suspense>
  );
}

const NOBODY: readonly PersonLocation[] = [];

/** The locations shared with the reader, and who sees the reader's. */
export function MapPage() {
  const [is_asked, locate] = useState(false);
  const is_located = useMayLocate() || is_asked;
  const [has_map, setHasMap] = useState(true);
  const [focus, setFocus] = useState<Point>();
  const { coords, problem } = usePosition(is_located);
  const me: Point | undefined = coords;
  return (
    <main id="main" tabIndex={-1} className="map-page">
      <div className="map-panel">
        <header className="bar">
          <GoBack to="/settings" />
          <PageHeading title={i18n.t('Map')} />
          <button
            type="button"
            className="icon-button"
            onClick={() => {
              locate(true);
              if (coords !== undefined) setFocus({ latitude: coords.latitude, longitude: coords.longitude });
            }}
          >
            <LocateFixed aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('My location')}</span>
          </button>
        </header>
        {problem === undefined ? null : (
          <p className="notice" data-tone="danger" role="alert">
            {problem}
          </p>
        )}
        <SharingPanel />
        <People
          me={me}
          has_map={has_map}
          onLocate={() => locate(true)}
          onGo={({ latitude, longitude }) => setFocus({ latitude, longitude })}
        />
        <Nearby />
        <LiveLinks />
        <LocationViewers />
      </div>
      <div className="map-ground">
        <Ground me={me} focus={focus} has_map={has_map} onFailed={() => setHasMap(false)} />
      </div>
    </main>
  );
}
