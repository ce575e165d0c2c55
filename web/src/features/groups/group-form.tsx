import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useFormDraft } from '../../data/storage/form-draft.ts';
import { AreaField, readText, TextField } from '../../ui/form.tsx';
import { DraftForm, type NamedTexts } from '../../ui/draft-form.tsx';
import { asSentence, fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { refetchGroups } from '../../data/queries/group-queries.ts';
import type { Group } from '../../data/queries/group-queries.ts';
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

/** The address of a chosen file, for as long as it is shown. */
function usePreview(file: File | undefined): string | undefined {
  const url = useMemo(() => file && URL.createObjectURL(file), [file]);
  useEffect(() => () => (url === undefined ? undefined : URL.revokeObjectURL(url)), [url]);
  return url;
}

function PictureField({ group, error }: { group: Group | undefined; error: string | undefined }) {
  const id = useId();
  const [chosen, setChosen] = useState<File>();
  const preview = usePreview(chosen);
  return (
    <div className="field">
      <div className="cluster">
        {group === undefined && preview === undefined ? null : (
          <Avatar name={group?.name ?? ''} url={preview ?? group?.avatar_url} size_px={56} />
        )}
        <label className="button quiet file-button" htmlFor={id}>
          {i18n.t('Choose a picture')}
          <input
            id={id}
            className="visually-hidden"
            type="file"
            name="picture"
            accept="image/*"
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            onChange={({ currentTarget }) => setChosen(currentTarget.files?.[0])}
          />
        </label>
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} className="field-error" role="alert">
          {asSentence(i18n.t('This file'), error)}
        </p>
      )}
      {group?.avatar_url == null ? null : (
        <label className="choice-label">
          <input type="checkbox" className="choice" name="drops_picture" />
          {i18n.t('Remove the picture')}
        </label>
      )}
    </div>
  );
}

/** Creates or edits a group. */
export function GroupForm({ group, onSaved }: { group?: Group; onSaved: (group: Group) => void }) {
  const queries = useQueryClient();
  const draft = useFormDraft<NamedTexts>(`group ${group?.id ?? ''}`);
  const saving = useMutation({
    mutationFn: (fields: Draft) => save(group, fields),
    onSuccess: async (saved) => {
      draft.drop();
      onSaved(saved);
      await refetchGroups(queries);
    },
  });
  const problems = fieldProblems(saving.error);
  return (
    <DraftForm
      draft={draft}
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
      <div className="form-end">
        <button type="submit" className="button primary full-width" disabled={saving.isPending}>
          {group === undefined ? i18n.t('Create group') : i18n.t('Save')}
        </button>
      </div>
    </DraftForm>
  );
}
