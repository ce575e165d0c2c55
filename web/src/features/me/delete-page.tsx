import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { Form, PasswordField, readText } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { clearStored } from '../auth/sign-out.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Deletes the account, confirmed by the password. */
export function DeletePage() {
  const remove = useMutation({
    mutationFn: (password: string) => sdk.me.deleteMe({ body: { password } }),
    onSuccess: () => {
      void clearStored();
      showToast(i18n.t('Your account is deleted.'));
    },
  });
  const [password, setPassword] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Form
      className="card"
      problem={formProblem(remove.error, ['password'])}
      onSubmit={(data) => setPassword(readText(data, 'password', 'raw'))}
    >
      <p>
        {i18n.t(
          'Your profile, tags, files and sessions are removed for good, and calls are ended. What others received from you stays with them, as from “deleted user”. This can’t be undone.',
        )}
      </p>
      <PasswordField
        label={i18n.t('Password')}
        name="password"
        autoComplete="current-password"
        required
        error={fieldProblems(remove.error)['password']}
      />
      <button ref={button} type="submit" className="button danger" disabled={remove.isPending}>
        {i18n.t('Delete my account')}
      </button>
      <ConfirmDialog
        open={password !== ''}
        onClose={() => setPassword('')}
        returnTo={button}
        title={i18n.t('Delete your account for good?')}
        text={i18n.t('Your profile, tags, files and calls are deleted immediately. This can’t be undone.')}
        action={i18n.t('Delete for good')}
        onConfirm={() => remove.mutate(password)}
      />
    </Form>
  );
}
