import { useMutation } from '@tanstack/react-query';
import { CircleCheck, Gauge, TriangleAlert } from 'lucide-react';
import { GoBack } from '../../../ui/back-link.tsx';
import { Page } from '../../../ui/page.tsx';
import { describeProblem, hasCode } from '../../../ui/problems/problem.ts';
import { describeDelay, describePath } from '../state/connection-text.ts';
import { Lobby, useLobby } from './lobby.tsx';
import { measureConnection } from '../state/measure-connection.ts';
import type { Measurement } from '../state/measure-connection.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The states of a connection attempt, as WebRTC names them. */
const STATES: Readonly<Record<string, string>> = {
  get frozen() {
    return i18n.t('not tried');
  },
  get waiting() {
    return i18n.t('not tried');
  },
  get 'in-progress'() {
    return i18n.t('being tried');
  },
  get failed() {
    return i18n.t('failed');
  },
  get succeeded() {
    return i18n.t('works');
  },
};

function Finding({ good, children }: { good: boolean; children: string }) {
  const Icon = good ? CircleCheck : TriangleAlert;
  return (
    <li className="finding" data-good={good ? '' : undefined}>
      <Icon aria-hidden="true" />
      <span>
        <span className="visually-hidden">{good ? i18n.t('Good:') : i18n.t('Note:')} </span>
        {children}
      </span>
    </li>
  );
}

function Findings({ found }: { found: Measurement }) {
  const { used, paths, service_ms, connect_ms } = found;
  return (
    <>
      <ul className="stack-small">
        <Finding good>{i18n.t('The service answers, within {service_ms} ms.', { service_ms })}</Finding>
        <Finding good={connect_ms < 5_000}>
          {i18n.t('Connected to the media server in {seconds} s.', { seconds: (connect_ms / 1_000).toFixed(1) })}
        </Finding>
        <Finding good={used.protocol === 'udp' && !used.is_relayed}>{describePath(used)}</Finding>
        <Finding good={(used.round_trip_ms ?? 0) <= 300}>{describeDelay(found)}</Finding>
      </ul>
      <details className="disclosure">
        <summary>{i18n.t('All connection attempts ({count})', { count: paths.length })}</summary>
        <div className="paths" tabIndex={0} role="region" aria-label={i18n.t('All connection attempts')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{i18n.t('From')}</th>
                <th scope="col">{i18n.t('To')}</th>
                <th scope="col">{i18n.t('Protocol')}</th>
                <th scope="col">{i18n.t('State')}</th>
                <th scope="col">{i18n.t('Round trip')}</th>
              </tr>
            </thead>
            <tbody>
              {paths.map((path) => (
                <tr key={`${path.from} ${path.to} ${path.protocol}`}>
                  <td>{path.from}</td>
                  <td>{path.to}</td>
                  <td>{path.protocol.toUpperCase()}</td>
                  <td>{path.is_used ? i18n.t('in use') : (STATES[path.state] ?? '–')}</td>
                  <td>
                    {path.round_trip_ms === undefined
                      ? '–'
                      : i18n.t('{round_trip_ms} ms', { round_trip_ms: path.round_trip_ms })}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

function describeFailure(error: unknown): string {
  if (hasCode(error, 'call_in_progress')) return i18n.t('You are in a call. Leave it before you test your connection.');
  if (error instanceof Error && (error.name === 'ApiError' || error.name === 'NetworkError'))
    return describeProblem(error);
  return i18n.t(
    'The media server couldn’t be reached, perhaps because of a firewall. Try another network, such as a mobile one. If that works, tell whoever runs this service.',
  );
}

function Connection() {
  const test = useMutation({ mutationFn: measureConnection });
  return (
    <section className="card" aria-labelledby="connection-heading">
      <h2 id="connection-heading">{i18n.t('Your connection')}</h2>
      <p className="soft">
        {i18n.t('Connects to the media server in an empty room, measures the connection and closes the room again.')}
      </p>
      <div aria-live="polite" className="stack findings">
        {test.isPending ? <p>{i18n.t('Measuring…')}</p> : null}
        {test.isError ? <p className="field-error">{describeFailure(test.error)}</p> : null}
        {test.data === undefined ? null : <Findings found={test.data} />}
      </div>
      <button type="button" className="button primary" disabled={test.isPending} onClick={() => test.mutate()}>
        <Gauge aria-hidden="true" />
        {test.data === undefined && !test.isError ? i18n.t('Measure') : i18n.t('Measure again')}
      </button>
    </section>
  );
}

/** A self-test for people who are not heard or seen: devices, and the connection to the media server. */
export function CallTestPage() {
  const lobby = useLobby();
  return (
    <Page
      title={i18n.t('Test audio and connection')}
      back={<GoBack to="/settings" />}
      narrow
      intro={i18n.t('See and hear yourself, and how well you are connected.')}
    >
      <section className="card" aria-labelledby="devices-heading">
        <h2 id="devices-heading">{i18n.t('Your devices')}</h2>
        <Lobby {...lobby} />
      </section>
      <Connection />
    </Page>
  );
}
