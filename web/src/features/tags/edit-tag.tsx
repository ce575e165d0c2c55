import type { Input, Tag } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { AreaField, Form, readText, SelectField, TextField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { changeTag } from '../follows/follow-mutations.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { tagsKey, ownTagsKey } from '../../data/queries/tag-queries.ts';
import { profileKey } from '../../data/queries/profile-queries.ts';

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

/** Who may find, follow and comment on a tag. */
function Rules({ tag, problems }: { tag: Tag; problems: Readonly<Record<string, string>> }) {
  return (
    <>
      <SelectField
        label={i18n.t('Who can find it')}
        name="visibility"
        defaultValue={tag.visibility}
        error={problems['visibility']}
      >
        <option value="public">{i18n.t('Everyone')}</option>
        <option value="unlisted">{i18n.t('People who know it')}</option>
        <option value="private">{i18n.t('Followers you accept')}</option>
      </SelectField>
      <SelectField
        label={i18n.t('Who may follow')}
        name="follow_policy"
        defaultValue={tag.follow_policy}
        error={problems['follow_policy']}
      >
        <option value="open">{i18n.t('Everyone')}</option>
        <option value="approval">{i18n.t('People you let in')}</option>
      </SelectField>
      <SelectField
        label={i18n.t('Comments on its profile')}
        name="comments_open"
        defaultValue={tag.comments_open ? 'yes' : 'no'}
        error={problems['comments_open']}
      >
        <option value="yes">{i18n.t('Open')}</option>
        <option value="no">{i18n.t('Closed')}</option>
      </SelectField>
    </>
  );
}

/** The settings of a tag. */
export function EditTag({ tag, onSaved }: { tag: Tag; onSaved: () => void }) {
  const queries = useQueryClient();
  const edit = useMutation({
    mutationFn: (body: Changes) => sdk.tags.editTag({ path: { xtag_id: tag.id }, body }),
    onSuccess: async (changed) => {
      changeTag(queries, tag.id, () => changed);
      showToast(i18n.t('Saved.'));
      onSaved();
      await Promise.all([tagsKey, ownTagsKey, profileKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const problems = fieldProblems(edit.error);
  return (
    <Form
      className="form-grid"
      problem={formProblem(edit.error, SHOWN)}
      onSubmit={(data) => edit.mutate(readChanges(data, tag))}
    >
      <TextField
        label={i18n.t('Name')}
        name="name"
        prefix={<span className="sigil">*</span>}
        defaultValue={tag.name}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        minLength={2}
        maxLength={MAX_LENGTH.tag_name}
        required
        error={problems['name']}
        hint={i18n.t('The old name redirects here for 30 days.')}
      />
      <TextField
        label={i18n.t('Title')}
        name="title"
        defaultValue={tag.title}
        maxLength={MAX_LENGTH.tag_title}
        error={problems['title']}
      />
      <AreaField
        className="span"
        label={i18n.t('Description')}
        name="description"
        defaultValue={tag.description}
        maxLength={MAX_LENGTH.tag_description}
        error={problems['description']}
      />
      <Rules tag={tag} problems={problems} />
      <button type="submit" className="button span" disabled={edit.isPending}>
        {i18n.t('Save')}
      </button>
    </Form>
  );
}
