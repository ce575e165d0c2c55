import { useMutation } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { Form, PasswordField, readText } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { changePasswordKey } from '../../data/queries/me-query.ts';

interface Passwords {
  current_password: string;
  new_password: string;
}

/** Changes the password, which signs out all other devices. */
export function PasswordPage() {
  const change = useMutation({
    mutationKey: changePasswordKey,
    mutationFn: ({ body }: { body: Passwords; form: HTMLFormElement }) => sdk.me.changePassword({ body }),
    onSuccess: (_, { form }) => {
      form.reset();
      showToast(i18n.t('Your password is changed, and your other devices are signed out.'));
    },
  });
  const problems = fieldProblems(change.error);
  const read = (data: FormData): Passwords => ({
    current_password: readText(data, 'current_password', 'raw'),
    new_password: readText(data, 'new_password', 'raw'),
  });
  return (
    <Form
      className="card"
      problem={formProblem(change.error, ['current_password', 'new_password'])}
      onSubmit={(data, form) => change.mutate({ body: read(data), form })}
    >
      <PasswordField
        label={i18n.t('Current password')}
        name="current_password"
        autoComplete="current-password"
        required
        error={problems['current_password']}
      />
      <PasswordField
        label={i18n.t('New password')}
        name="new_password"
        autoComplete="new-password"
        minLength={8}
        maxLength={MAX_LENGTH.password}
        required
        error={problems['new_password']}
        hint={i18n.t('At least 8 characters. All other devices will be signed out.')}
      />
      <button type="submit" className="button primary" disabled={change.isPending}>
        {i18n.t('Change password')}
      </button>
    </Form>
  );
}
