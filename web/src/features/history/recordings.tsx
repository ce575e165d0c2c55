import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { More } from '../../ui/more.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { recordingsKey, type Recorded } from '../../data/queries/history-queries.ts';
import { RecordingItem } from './recording-item.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The recordings that the reader may play. @param of the call that they are of; by default of all. Nothing without any. */
export function Recordings({ of }: { of?: string }) {
  const my_id = useMe()?.id;
  const list = useList<Recorded>({
    queryKey: recordingsKey,
    load: (query, signal) => sdk.recordings.listRecordings({ query, signal }),
  });
  const shown = list.items.filter(({ conference_id }) => of === undefined || conference_id === of);
  if (shown.length === 0) return null;
  return (
    <section className="card" aria-labelledby="recordings-heading">
      <h2 id="recordings-heading">{i18n.t('Recordings')}</h2>
      <ul className="list">
        {shown.map((one) => (
          <RecordingItem key={one.id} recording={one} is_mine={one.by?.id === my_id} />
        ))}
      </ul>
      {of === undefined ? <More list={list} what={i18n.t('recordings')} /> : null}
    </section>
  );
}
