import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { Form, PasswordField, readText, TextField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { useFinishSignIn, useNext } from './after-sign-in.ts';
import { GateLayout } from './gate-layout.tsx';
import { i18n } from '../../i18n/i18n.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the session of this page ended without its reader signing out here. */
    session_ended?: boolean;
  }
}

/** Signs in by password; accounts with an e-mail continue with a code. */
export function SignInPage() {
  const navigate = useNavigate();
  const next = useNext();
  const has_ended = useLocation().state.session_ended === true;
  const enter = useFinishSignIn();
  const login = useMutation({
    mutationFn: (body: { username: string; password: string }) => sdk.auth.login({ body }),
    onSuccess: (reply) => {
      if (!('login_id' in reply)) return enter();
      const { login_id, channel, sent_to } = reply;
      void navigate({ to: '/sign-in/code', search: { login_id, channel, sent_to, next } });
    },
  });
  const problems = fieldProblems(login.error);
  const submit = (data: FormData) =>
    login.mutate({ username: readText(data, 'username'), password: readText(data, 'password', 'raw') });
  return (
    <GateLayout
      title={i18n.t('Welcome back')}
      intro={has_ended ? i18n.t('Your session has ended. Sign in to continue.') : undefined}
    >
      <Form problem={formProblem(login.error, ['username', 'password'])} onSubmit={submit}>
        <TextField
          label={i18n.t('Username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={problems['username']}
        />
        <PasswordField
          label={i18n.t('Password')}
          name="password"
          autoComplete="current-password"
          required
          error={problems['password']}
        />
        <button type="submit" className="button primary full-width" disabled={login.isPending}>
          {i18n.t('Sign in')}
        </button>
      </Form>
      <p className="cluster cluster-apart small">
        <Link to="/forgot">{i18n.t('Forgot your password?')}</Link>
        <Link to="/magic-link" search={{ next }}>
          {i18n.t('Get a link by e-mail')}
        </Link>
      </p>
      <p className="divider">{i18n.t('New here?')}</p>
      <Link to="/register" search={{ next }} className="button quiet full-width">
        {i18n.t('Create account')}
      </Link>
    </GateLayout>
  );
}
