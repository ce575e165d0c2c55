import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { Form, PasswordField, readText } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { GateLayout } from './gate-layout.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The target of a reset link: sets a new password, which ends every session. */
export function ResetPage() {
  const { token } = useSearch({ from: '/reset' });
  const navigate = useNavigate();
  const reset = useMutation({
    mutationFn: (password: string) => sdk.auth.resetPassword({ body: { token, password } }),
    onSuccess: () => {
      sdk.session.clear();
      showToast(i18n.t('Your password is changed. Sign in with the new one.'));
      void navigate({ to: '/sign-in' });
    },
  });
  return (
    <GateLayout
      title={i18n.t('Choose a new password')}
      intro={i18n.t('Every device that was signed in will be signed out.')}
    >
      <Form
        problem={formProblem(reset.error, ['password'])}
        onSubmit={(data) => reset.mutate(readText(data, 'password', 'raw'))}
      >
        <PasswordField
          label={i18n.t('Password')}
          name="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={MAX_LENGTH.password}
          required
          error={fieldProblems(reset.error)['password']}
          hint={i18n.t('At least 8 characters.')}
        />
        <button type="submit" className="button primary full-width" disabled={reset.isPending}>
          {i18n.t('Change password')}
        </button>
      </Form>
    </GateLayout>
  );
}
