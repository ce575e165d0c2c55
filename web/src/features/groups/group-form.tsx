import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { sdk } from '../../asterism.ts';
import { AreaField, Form, readText, TextField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { refetchGroups } from './group-queries.ts';
import type { Group } from './group-queries.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

interface Draft {
  name: string;
  description: string;
  picture: File | undefined;
  drops_picture: boolean;
}

function readDraft(data: FormData): Draft {
  const picture = data.get('picture');
  return {
    name: readText(data, 'name'),
    description: readText(data, 'description'),
    // A file input without a selection submits an empty file without a name.
    picture: picture instanceof File && picture.size > 0 ? picture : undefined,
    drops_picture: data.get('drops_picture') !== null,
  };
}

async function save(group: Group | undefined, { picture, drops_picture, ...body }: Draft): Promise<Group> {
  const file = picture === undefined ? undefined : await sdk.files.uploadFile({ file: picture });
  const avatar = file === undefined ? (drops_picture ? { avatar_file_id: null } : {}) : { avatar_file_id: file.id };
  return group === undefined
    ? sdk.groups.createGroup({ body: { ...body, ...avatar } })
    : sdk.groups.editGroup({ path: { group_id: group.id }, body: { ...body, ...avatar } });
}

function PictureField({ group, error }: { group: Group | undefined; error: string | undefined }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{i18n.t('Picture')}</label>
      <input
        id={id}
        type="file"
        name="picture"
        accept="image/*"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
      {error === undefined ? null : (
        <p id={`${id}-error`} className="field-error" role="alert">
          {i18n.t('This file {error}.', { error })}
        </p>
      )}
      {group?.avatar_url == null ? null : (
        <label className="choice-label">
          <input type="checkbox" className="choice" name="drops_picture" />
          {i18n.t('Take the picture away')}
        </label>
      )}
    </div>
  );
}

/** Creates or edits a group. */
export function GroupForm({ group, onSaved }: { group?: Group; onSaved: (group: Group) => void }) {
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (draft: Draft) => save(group, draft),
    onSuccess: async (saved) => {
      onSaved(saved);
      await refetchGroups(queries);
    },
  });
  const problems = fieldProblems(saving.error);
  return (
    <Form
      problem={formProblem(saving.error, ['name', 'description', 'file', 'avatar_file_id'])}
      onSubmit={(data) => saving.mutate(readDraft(data))}
    >
      <TextField
        label={i18n.t('Name')}
        name="name"
        defaultValue={group?.name}
        maxLength={MAX_LENGTH.group_name}
        required
        error={problems['name']}
      />
      <AreaField
        label={i18n.t('Description')}
        name="description"
        rows={2}
        maxLength={MAX_LENGTH.group_description}
        defaultValue={group?.description}
        error={problems['description']}
      />
      <PictureField group={group} error={problems['file'] ?? problems['avatar_file_id']} />
      <button type="submit" className="button" disabled={saving.isPending}>
        {group === undefined ? i18n.t('Make group') : i18n.t('Save')}
      </button>
    </Form>
  );
}
