import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Input } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { useFormDraft } from '../../data/storage/form-draft.ts';
import { readText } from '../../ui/form.tsx';
import { DraftForm, type NamedTexts } from '../../ui/draft-form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { tagsKey, ownTagsKey } from '../../data/queries/tag-queries.ts';
import { AudienceFields, NameField, TitleField } from './tag-fields.tsx';

type NewTag = Input<'tags', 'createTag'>['body'];

function readTag(data: FormData): NewTag {
  const title = readText(data, 'title');
  const body: NewTag = {
    name: readText(data, 'name').toLowerCase(),
    visibility: readText(data, 'visibility') as NonNullable<NewTag['visibility']>,
    follow_policy: readText(data, 'follow_policy') as NonNullable<NewTag['follow_policy']>,
  };
  if (title !== '') body.title = title;
  return body;
}

/** Creates a tag. */
export function CreateTag({ onCreated }: { onCreated?: () => void }) {
  const queries = useQueryClient();
  const draft = useFormDraft<NamedTexts>('tag');
  const create = useMutation({
    mutationFn: ({ body }: { body: NewTag; form: HTMLFormElement }) => sdk.tags.createTag({ body }),
    onSuccess: async (tag, { form }) => {
      draft.drop();
      form.reset();
      onCreated?.();
      showToast(i18n.t('Created *{name}.', { name: tag.name }));
      await Promise.all([tagsKey, ownTagsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const problems = fieldProblems(create.error);
  return (
    <DraftForm
      draft={draft}
      className="form-grid"
      problem={formProblem(create.error, ['name', 'title', 'visibility', 'follow_policy'])}
      onSubmit={(data, form) => create.mutate({ body: readTag(data), form })}
    >
      <NameField problems={problems} label={i18n.t('Tag name')} hint={i18n.t('2 to 32 letters, digits, _ or -.')} />
      <TitleField problems={problems} />
      <AudienceFields problems={problems} />
      <div className="form-end span">
        <button type="submit" className="button primary full-width" disabled={create.isPending}>
          {i18n.t('Create tag')}
        </button>
      </div>
    </DraftForm>
  );
}
