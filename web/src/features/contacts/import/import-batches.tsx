import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import type { RefObject } from 'react';
import { sdk } from '../../../asterism.ts';
import { changeItem, useList } from '../../../data/lists.ts';
import { ListFailure } from '../../../ui/problems/list-failure.tsx';
import { Confirm } from '../../../ui/overlay/confirm.tsx';
import { More } from '../../../ui/more.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { When } from '../../../ui/when.tsx';
import { contactsKey, importsKey } from '../../../data/queries/contact-queries.ts';
import { describeBatch, describeRollback } from './import-text.ts';
import type { ImportBatch } from './import-text.ts';
import { i18n } from '../../../i18n/i18n.ts';

function useUndo() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: ImportBatch) => sdk.contacts.rollbackContactImport({ path: { batch_id: id } }),
    onSuccess: ({ left, ...batch }) => {
      changeItem<ImportBatch>(queries, importsKey, batch.id, () => batch);
      showToast(describeRollback(left.length));
    },
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: contactsKey }),
  });
}

function Batch({ batch }: { batch: ImportBatch }) {
  const undo = useUndo();
  const what = describeBatch(batch);
  return (
    <li>
      <div className="list-main">
        <p dir="auto">{what}</p>
        <When at={batch.created_at} />
        {batch.state === 'rolled_back' ? <p className="soft small">{describeRollback(batch.left_count)}</p> : null}
      </div>
      {batch.state === 'committed' ? (
        <Confirm
          title={i18n.t('Undo this import?')}
          text={i18n.t('Removes what this import added and restores what it changed. Your later edits are kept.')}
          action={i18n.t('Undo')}
          onConfirm={() => undo.mutate(batch)}
          trigger={
            <button
              type="button"
              className="button quiet"
              aria-label={i18n.t('Undo the import: {what}', { what })}
              aria-disabled={undo.isPending}
            >
              <Undo2 aria-hidden="true" />
              {i18n.t('Undo')}
            </button>
          }
        />
      ) : null}
    </li>
  );
}

/** Earlier imports, each of which can be undone separately. */
export function Batches({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const list = useList<ImportBatch>({
    queryKey: importsKey,
    load: (query, signal) => sdk.contacts.listContactImports({ query, signal }),
  });
  return (
    <section className="card" aria-labelledby="batches-heading">
      <h2 id="batches-heading" ref={heading} tabIndex={-1} className="feed-heading">
        {i18n.t('Earlier imports')}
      </h2>
      {list.isPending ? <p className="soft">{i18n.t('Loading…')}</p> : null}
      <ListFailure list={list} />
      {list.isSuccess && list.items.length === 0 ? (
        <p className="soft">{i18n.t('No imports yet. Each one can be undone here.')}</p>
      ) : null}
      <ul className="list" aria-label={i18n.t('Imports')}>
        {list.items.map((batch) => (
          <Batch key={batch.id} batch={batch} />
        ))}
      </ul>
      <More list={list} what={i18n.t('imports')} />
    </section>
  );
}
