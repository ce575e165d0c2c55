import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { Form, readText, TextField } from '../../ui/form.tsx';
import { describeProblem, fieldProblems, formProblem } from '../../ui/problem.ts';
import { useEnter } from './after-sign-in.ts';
import { GateLayout } from './gate-layout.tsx';

function BackToSignIn() {
  return (
    <p className="small">
      <Link to="/sign-in">Back to signing in</Link>
    </p>
  );
}

/** Has a link sent that signs in without a password. The answer never says whether the address is known. */
export function MagicLinkPage() {
  const send = useMutation({ mutationFn: (email: string) => sdk.auth.sendMagicLink({ body: { email } }) });
  return (
    <GateLayout title="Sign in by e-mail" intro="We send a link that signs you in, good for 15 minutes.">
      {send.isSuccess ? (
        <p className="notice" data-tone="ok" role="status">
          If an account has this address, the link is on its way. Open it on this device.
        </p>
      ) : (
        <Form problem={formProblem(send.error, ['email'])} onSubmit={(data) => send.mutate(readText(data, 'email'))}>
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="email"
            required
            error={fieldProblems(send.error)['email']}
          />
          <button type="submit" className="button button-wide" disabled={send.isPending}>
            E-mail me a link
          </button>
        </Form>
      )}
      <BackToSignIn />
    </GateLayout>
  );
}

/** Where a magic link leads. It waits for a press, because mail scanners open links and would use this one up. */
export function MagicPage() {
  const { token } = useSearch({ from: '/magic' });
  const enter = useEnter();
  const consume = useMutation({ mutationFn: () => sdk.auth.consumeMagicLink({ body: { token } }), onSuccess: enter });
  return (
    <GateLayout title="You are almost in">
      {consume.isError ? (
        <p className="notice" data-tone="danger" role="alert">
          {describeProblem(consume.error)}
        </p>
      ) : null}
      <button
        type="button"
        className="button button-wide"
        disabled={consume.isPending}
        onClick={() => consume.mutate()}
      >
        Sign in
      </button>
      <BackToSignIn />
    </GateLayout>
  );
}

/** Asks for a link to a new password, by username, e-mail or mobile number. */
export function ForgotPage() {
  const send = useMutation({ mutationFn: (identifier: string) => sdk.auth.forgotPassword({ body: { identifier } }) });
  return (
    <GateLayout title="Forgot your password?" intro="We send a link with which you choose a new one.">
      {send.isSuccess ? (
        <p className="notice" data-tone="ok" role="status">
          If we know this account, the link is on its way. It is good for 30 minutes.
        </p>
      ) : (
        <Form
          problem={formProblem(send.error, ['identifier'])}
          onSubmit={(data) => send.mutate(readText(data, 'identifier'))}
        >
          <TextField
            label="Username or e-mail"
            name="identifier"
            autoComplete="username"
            autoCapitalize="none"
            required
            error={fieldProblems(send.error)['identifier']}
          />
          <button type="submit" className="button button-wide" disabled={send.isPending}>
            E-mail me a link
          </button>
        </Form>
      )}
      <BackToSignIn />
    </GateLayout>
  );
}
