import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import type { RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { changeItem, useList } from '../../lists.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { When } from '../../ui/when.tsx';
import { contactsKey, importsKey } from './contact-queries.ts';
import { describeBatch, describeRollback } from './import-words.ts';
import type { ImportBatch } from './import-words.ts';

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
          title="Undo this import?"
          text="Removes what this import added and restores what it changed. Your later edits are kept."
          action="Undo it"
          onConfirm={() => undo.mutate(batch)}
          trigger={
            <button type="button" className="button button-quiet" aria-disabled={undo.isPending}>
              <Undo2 aria-hidden="true" />
              Undo<span className="visually-hidden"> the import: {what}</span>
            </button>
          }
        />
      ) : null}
    </li>
  );
}

/** What was imported before, each of which can be undone by itself. */
export function Batches({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const list = useList<ImportBatch>({
    queryKey: importsKey,
    load: (query, signal) => sdk.contacts.listContactImports({ query, signal }),
  });
  return (
    <section className="card" aria-labelledby="batches-heading">
      <h2 id="batches-heading" ref={heading} tabIndex={-1} className="feed-heading">
        Earlier imports
      </h2>
      {list.isPending ? <p className="soft">Fetching…</p> : null}
      {list.isError ? <p className="field-error">{describeProblem(list.error)}</p> : null}
      {list.isSuccess && list.items.length === 0 ? (
        <p className="soft">None yet. Each one can be undone here.</p>
      ) : null}
      <ul className="list" aria-label="Imports">
        {list.items.map((batch) => (
          <Batch key={batch.id} batch={batch} />
        ))}
      </ul>
      <More list={list} what="imports" />
    </section>
  );
}
