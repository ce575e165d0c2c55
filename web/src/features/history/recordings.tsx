import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { More } from '../../ui/more.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { recordingsKey, recordingsOfKey, type Recorded } from '../../data/queries/history-queries.ts';
import { RecordingItem } from './recording-item.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The recordings that the reader may play. @param of the call that they are of; by default of all. Nothing without any. */
export function Recordings({ of }: { of?: string }) {
  const my_id = useMe()?.id;
  const list = useList<Recorded>({
    queryKey: of === undefined ? recordingsKey : recordingsOfKey(of),
    load: (query, signal) =>
      sdk.recordings.listRecordings({ query: { ...query, ...(of !== undefined && { conference_id: of }) }, signal }),
  });
  if (list.items.length === 0) return null;
  return (
    <section className="card" aria-labelledby="recordings-heading">
      <h2 id="recordings-heading">{i18n.t('Recordings')}</h2>
      <ul className="list">
        {list.items.map((one) => (
          <RecordingItem key={one.id} recording={one} is_mine={one.by?.id === my_id} />
        ))}
      </ul>
      <More list={list} what={i18n.t('recordings')} />
    </section>
  );
}
