import type { Status } from '@asterism/sdk';
import { useFormDraft } from '../../data/storage/form-draft.ts';
import { DraftForm, FormButtons, type NamedTexts } from '../../ui/draft-form.tsx';
import { AreaField, readText } from '../../ui/form.tsx';
import { AutocompleteArea } from '../autocomplete/autocomplete-area.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { useEditStatus } from './status-mutations.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Edits the text of a status in place; earlier versions are kept. */
export function EditStatus({ status, onDone }: { status: Status; onDone: () => void }) {
  const edit = useEditStatus(status.id);
  const draft = useFormDraft<NamedTexts>(`status ${status.id}`);
  const finish = () => {
    draft.drop();
    onDone();
  };
  const save = (data: FormData) => {
    const body = readText(data, 'body');
    if (body === status.body) finish();
    else edit.mutate(body, { onSuccess: finish });
  };
  const cancel = () => {
    draft.dismiss();
    onDone();
  };
  return (
    <DraftForm draft={draft} problem={formProblem(edit.error, ['body'])} onSubmit={save}>
      <AreaField
        label={i18n.t('Your post')}
        name="body"
        Area={AutocompleteArea}
        defaultValue={status.body}
        maxLength={MAX_LENGTH.status}
        required
        autoFocus
        error={fieldProblems(edit.error)['body']}
        hint={i18n.t('The earlier version is kept, and only you can read it.')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') cancel();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <FormButtons action={i18n.t('Save')} is_pending={edit.isPending} onCancel={cancel} />
    </DraftForm>
  );
}
