import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { Failure } from '../../ui/empty-state.tsx';
import { Form, readText, TextField } from '../../ui/form.tsx';
import { describeProblem, fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { handlesKey } from '../../data/queries/me-query.ts';

interface NewHandle {
  network: string;
  handle: string;
}

function Handles() {
  const queries = useQueryClient();
  const handles = useQuery({
    queryKey: handlesKey,
    queryFn: ({ signal }) => sdk.me.listImIdentities({ query: { limit: 100 }, signal }),
  });
  const remove = useMutation({
    mutationFn: (im_id: string) => sdk.me.removeImIdentity({ path: { im_id } }),
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: handlesKey }),
  });
  if (handles.isPending) return <Skeleton rows={3} what={i18n.t('Loading your accounts…')} />;
  if (handles.isError) return <Failure text={describeProblem(handles.error)} onRetry={() => void handles.refetch()} />;
  if (handles.data.items.length === 0) return null;
  return (
    <ul className="list">
      {handles.data.items.map((one) => (
        <li key={one.id}>
          <div className="list-main">
            <p>
              <strong dir="auto">{one.handle}</strong>
            </p>
            <p className="soft small">{one.network}</p>
          </div>
          <button
            type="button"
            className="button quiet"
            aria-label={i18n.t('Remove {handle}', { handle: one.handle })}
            disabled={remove.isPending}
            onClick={() => remove.mutate(one.id)}
          >
            {i18n.t('Remove')}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The reader's names on other networks. */
export function HandlesPage() {
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: ({ body }: { body: NewHandle; form: HTMLFormElement }) => sdk.me.addImIdentity({ body }),
    onSuccess: async (_, { form }) => {
      form.reset();
      await queries.invalidateQueries({ queryKey: handlesKey });
    },
  });
  const problems = fieldProblems(add.error);
  return (
    <div className="card">
      <p className="soft">{i18n.t('Your usernames on other networks, in one place. Only you can see them.')}</p>
      <Form
        className="form-grid"
        problem={formProblem(add.error, ['network', 'handle'])}
        onSubmit={(data, form) =>
          add.mutate({ body: { network: readText(data, 'network'), handle: readText(data, 'handle') }, form })
        }
      >
        <TextField label={i18n.t('Network')} name="network" placeholder="matrix" required error={problems['network']} />
        <TextField label={i18n.t('Username')} name="handle" autoCapitalize="none" required error={problems['handle']} />
        <button type="submit" className="button primary span" disabled={add.isPending}>
          {i18n.t('Add account')}
        </button>
      </Form>
      <Handles />
    </div>
  );
}
