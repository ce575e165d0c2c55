import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Input } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { Form, readText, SelectField, TextField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';

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

/** A new public address for the reader. */
export function MakeTag() {
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: ({ body }: { body: NewTag; form: HTMLFormElement }) => sdk.tags.createTag({ body }),
    onSuccess: async (tag, { form }) => {
      form.reset();
      showToast(`*${tag.name} is yours.`);
      await Promise.all(['tags', 'own-tags'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
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
        className="span"
        label="Tag name"
        name="name"
        prefix={<span className="sigil">*</span>}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        minLength={2}
        maxLength={32}
        required
        error={problems['name']}
        hint="2 to 32 letters, digits, _ or -."
      />
      <TextField label="Title" name="title" autoComplete="off" error={problems['title']} />
      <SelectField label="Who can find it" name="visibility" error={problems['visibility']}>
        <option value="public">Everyone</option>
        <option value="unlisted">Those who know it</option>
        <option value="private">Followers I accept</option>
      </SelectField>
      <SelectField className="span" label="Who may follow" name="follow_policy" error={problems['follow_policy']}>
        <option value="open">Everyone</option>
        <option value="approval">Those I let in</option>
      </SelectField>
      <button type="submit" className="button span" disabled={create.isPending}>
        Create tag
      </button>
    </Form>
  );
}
