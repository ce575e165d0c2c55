import { useMutation } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { Form, PasswordField, readText } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/toast.tsx';

/** Ends the account; the password makes sure that it is meant. */
export function DeletePage() {
  const remove = useMutation({
    mutationFn: (password: string) => sdk.me.deleteMe({ body: { password } }),
    onSuccess: () => showToast('Your account is deleted.'),
  });
  return (
    <Form
      className="card"
      problem={formProblem(remove.error, ['password'])}
      onSubmit={(data) => remove.mutate(readText(data, 'password', 'raw'))}
    >
      <h2>Delete your account</h2>
      <p>
        Your profile, tags, files and sessions are removed for good, and calls are ended. What others received from you
        stays with them, as from “deleted user”. This cannot be undone.
      </p>
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        error={fieldProblems(remove.error)['password']}
      />
      <button type="submit" className="button button-danger" disabled={remove.isPending}>
        Delete my account
      </button>
    </Form>
  );
}
