import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Input } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { Form, readText, SelectField, TextField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { tagsKey, ownTagsKey } from '../../data/queries/tag-queries.ts';

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
export function MakeTag({ onCreated }: { onCreated?: () => void }) {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: ({ body }: { body: NewTag; form: HTMLFormElement }) => sdk.tags.createTag({ body }),
    onSuccess: async (tag, { form }) => {
      form.reset();
      onCreated?.();
      showToast(i18n.t('Created *{name}.', { name: tag.name }));
      await Promise.all([tagsKey, ownTagsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const problems = fieldProblems(create.error);
  return (
    <Form
      className="form-grid"
      problem={formProblem(create.error, ['name', 'title', 'visibility', 'follow_policy'])}
      onSubmit={(data, form) => create.mutate({ body: readTag(data), form })}
    >
      <TextField
        label={i18n.t('Tag name')}
        name="name"
        prefix={<span className="sigil">*</span>}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        minLength={2}
        maxLength={MAX_LENGTH.tag_name}
        required
        error={problems['name']}
        hint={i18n.t('2 to 32 letters, digits, _ or -.')}
      />
      <TextField label={i18n.t('Title')} name="title" autoComplete="off" error={problems['title']} />
      <SelectField label={i18n.t('Who can find it')} name="visibility" error={problems['visibility']}>
        <option value="public">{i18n.t('Everyone')}</option>
        <option value="unlisted">{i18n.t('People who know it')}</option>
        <option value="private">{i18n.t('Followers you accept')}</option>
      </SelectField>
      <SelectField label={i18n.t('Who may follow')} name="follow_policy" error={problems['follow_policy']}>
        <option value="open">{i18n.t('Everyone')}</option>
        <option value="approval">{i18n.t('People you let in')}</option>
      </SelectField>
      <button type="submit" className="button span" disabled={create.isPending}>
        {i18n.t('Create tag')}
      </button>
    </Form>
  );
}
