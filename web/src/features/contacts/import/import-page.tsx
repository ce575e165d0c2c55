import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useId, useRef } from 'react';
import { sdk } from '../../../asterism.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Page } from '../../../ui/page.tsx';
import { describeFileProblem, hasCode } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { contactsKey, importsKey } from '../../../data/queries/contact-queries.ts';
import { Batches } from './import-batches.tsx';
import { PreviewChoice } from './import-preview.tsx';
import { i18n } from '../../../i18n/i18n.ts';

/** Why a file, or the selection of its rows, was refused. */
function describeRefusal(error: unknown): string {
  if (hasCode(error, 'gone')) return i18n.t('This preview has expired or was already used. Choose the file again.');
  return describeFileProblem(error);
}

function ChooseFile({ is_pending, onFile }: { is_pending: boolean; onFile: (file: File) => void }) {
  const id = useId();
  return (
    <label className="button primary file-button at-start" htmlFor={id} aria-disabled={is_pending}>
      <FileUp aria-hidden="true" />
      {is_pending ? i18n.t('Reading the file…') : i18n.t('Choose a file')}
      <input
        id={id}
        className="visually-hidden"
        type="file"
        accept=".vcf,.vcard,.csv,.json,text/vcard,text/csv,application/json"
        aria-describedby="file-hint"
        disabled={is_pending}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) onFile(file);
          event.target.value = '';
        }}
      />
    </label>
  );
}

/** Imports contacts from a file: a preview shows the effect of each row, and an import can be undone. */
export function ImportPage() {
  const queries = useQueryClient();
  const batches = useRef<HTMLHeadingElement>(null);
  const preview = useMutation({ mutationFn: (file: File) => sdk.contacts.previewContactImport({ file }) });
  const take = useMutation({
    mutationFn: ({ preview_id, rows }: { preview_id: string; rows: number[] | undefined }) =>
      sdk.contacts.commitContactImport({ body: rows === undefined ? { preview_id } : { preview_id, rows } }),
    onSuccess: async ({ created, updated }) => {
      preview.reset();
      showToast(i18n.t('{created} new, {updated} updated.', { created, updated }));
      batches.current?.focus();
      await Promise.all([importsKey, contactsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const refusal = preview.error ?? take.error;
  const again = () => {
    preview.reset();
    take.reset();
  };
  return (
    <Page
      title={i18n.t('Import contacts')}
      back={
        <BackLink to="/contacts" is_beside_list>
          {i18n.t('Contacts')}
        </BackLink>
      }
    >
      <div aria-live="polite">
        {refusal === null ? null : (
          <p className="notice" data-tone="danger">
            {describeRefusal(refusal)}
          </p>
        )}
      </div>
      {preview.data === undefined ? (
        <section className="card" aria-labelledby="file-heading">
          <h2 id="file-heading">{i18n.t('From a file')}</h2>
          <p id="file-hint" className="soft">
            {i18n.t(
              'A vCard file (.vcf) from a phone, a CSV file from Google or Outlook, or JSON. You see what each row would change before anything is saved.',
            )}
          </p>
          <ChooseFile
            is_pending={preview.isPending}
            onFile={(file) => {
              again();
              preview.mutate(file);
            }}
          />
        </section>
      ) : (
        <PreviewChoice
          key={preview.data.preview_id}
          preview={preview.data}
          is_pending={take.isPending}
          onTake={(rows) => take.mutate({ preview_id: preview.data.preview_id, rows })}
          onCancel={again}
        />
      )}
      <Batches heading={batches} />
    </Page>
  );
}
