import type { Input, Tag } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useFormDraft } from '../../data/storage/form-draft.ts';
import { AreaField, readText, SelectField } from '../../ui/form.tsx';
import { DraftForm, type NamedTexts } from '../../ui/draft-form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { changeTag } from '../follows/follow-mutations.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { tagsKey, ownTagsKey } from '../../data/queries/tag-queries.ts';
import { profileKey } from '../../data/queries/profile-queries.ts';
import { AudienceFields, NameField, TitleField } from './tag-fields.tsx';

type Changes = NonNullable<Input<'tags', 'editTag'>['body']>;

const SHOWN = ['name', 'title', 'description', 'visibility', 'follow_policy', 'comments_open'];

function readChanges(data: FormData, tag: Tag): Changes {
  const name = readText(data, 'name').toLowerCase();
  const changes: Changes = {
    title: readText(data, 'title'),
    description: readText(data, 'description'),
    visibility: readText(data, 'visibility') as Tag['visibility'],
    follow_policy: readText(data, 'follow_policy') as Tag['follow_policy'],
    comments_open: readText(data, 'comments_open') === 'yes',
  };
  return name === tag.name ? changes : { ...changes, name };
}

/** The settings of a tag. */
export function EditTag({ tag, onSaved }: { tag: Tag; onSaved: () => void }) {
  const queries = useQueryClient();
  const draft = useFormDraft<NamedTexts>(`tag ${tag.id}`);
  const edit = useMutation({
    mutationFn: (body: Changes) => sdk.tags.editTag({ path: { xtag_id: tag.id }, body }),
    onSuccess: async (changed) => {
      draft.drop();
      changeTag(queries, tag.id, () => changed);
      showToast(i18n.t('Saved.'));
      onSaved();
      await Promise.all([tagsKey, ownTagsKey, profileKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const problems = fieldProblems(edit.error);
  return (
    <DraftForm
      draft={draft}
      className="form-grid"
      problem={formProblem(edit.error, SHOWN)}
      onSubmit={(data) => edit.mutate(readChanges(data, tag))}
    >
      <NameField
        tag={tag}
        problems={problems}
        label={i18n.t('Name')}
        hint={i18n.t('The old name redirects here for 30 days.')}
      />
      <TitleField tag={tag} problems={problems} />
      <AreaField
        className="span"
        label={i18n.t('Description')}
        name="description"
        defaultValue={tag.description}
        maxLength={MAX_LENGTH.tag_description}
        error={problems['description']}
      />
      <AudienceFields tag={tag} problems={problems} />
      <SelectField
        label={i18n.t('Comments on its profile')}
        name="comments_open"
        defaultValue={tag.comments_open ? 'yes' : 'no'}
        error={problems['comments_open']}
      >
        <option value="yes">{i18n.t('Open')}</option>
        <option value="no">{i18n.t('Closed')}</option>
      </SelectField>
      <div className="form-end span">
        <button type="submit" className="button primary full-width" disabled={edit.isPending}>
          {i18n.t('Save')}
        </button>
      </div>
    </DraftForm>
  );
}
