import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { sdk } from '../../asterism.ts';
import { Form, readText, TextField } from '../../ui/form.tsx';
import { describeProblem, fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { useFinishSignIn } from './after-sign-in.ts';
import { GateLayout } from './gate-layout.tsx';
import { i18n } from '../../i18n/i18n.ts';

function BackToSignIn() {
  return (
    <p className="small">
      <Link to="/sign-in">{i18n.t('Back to signing in')}</Link>
    </p>
  );
}

interface AskForLinkProps {
  title: string;
  intro: string;
  /** The confirmation, whether the account exists or not. */
  sent: string;
  field: ComponentProps<typeof TextField> & { name: string };
  ask: (value: string) => Promise<unknown>;
}

/** Asks for an address, and confirms that a link was sent to it. */
function AskForLink({ title, intro, sent, field, ask }: AskForLinkProps) {
  const send = useMutation({ mutationFn: ask });
  return (
    <GateLayout title={title} intro={intro}>
      {send.isSuccess ? (
        <p className="notice" data-tone="ok" role="status">
          {sent}
        </p>
      ) : (
        <Form
          problem={formProblem(send.error, [field.name])}
          onSubmit={(data) => send.mutate(readText(data, field.name))}
        >
          <TextField required error={fieldProblems(send.error)[field.name]} {...field} />
          <button type="submit" className="button primary full-width" disabled={send.isPending}>
            {i18n.t('E-mail me a link')}
          </button>
        </Form>
      )}
      <BackToSignIn />
    </GateLayout>
  );
}

/** Requests a sign-in link. The answer does not reveal whether the address is known. */
export function MagicLinkPage() {
  return (
    <AskForLink
      title={i18n.t('Sign in by e-mail')}
      intro={i18n.t('We will send you a link that signs you in, valid for 15 minutes.')}
      sent={i18n.t('If an account has this address, the link is on its way. Open it on this device.')}
      field={{ label: i18n.t('E-mail'), name: 'email', type: 'email', autoComplete: 'email' }}
      ask={(email) => sdk.auth.sendMagicLink({ body: { email } })}
    />
  );
}

/** Asks for a link to a new password, by username, e-mail or mobile number. */
export function ForgotPage() {
  return (
    <AskForLink
      title={i18n.t('Forgot your password?')}
      intro={i18n.t('We will send you a link to choose a new one.')}
      sent={i18n.t('If we know this account, the link is on its way. It is valid for 30 minutes.')}
      field={{
        label: i18n.t('Username or e-mail'),
        name: 'identifier',
        autoComplete: 'username',
        autoCapitalize: 'none',
      }}
      ask={(identifier) => sdk.auth.forgotPassword({ body: { identifier } })}
    />
  );
}

/** The target of a magic link. It waits for a button, because mail scanners open links and would redeem this one. */
export function MagicPage() {
  const { token } = useSearch({ from: '/magic' });
  const enter = useFinishSignIn();
  const consume = useMutation({ mutationFn: () => sdk.auth.consumeMagicLink({ body: { token } }), onSuccess: enter });
  return (
    <GateLayout title={i18n.t('You are almost in')}>
      {consume.isError ? (
        <p className="notice" data-tone="danger" role="alert">
          {describeProblem(consume.error)}
        </p>
      ) : null}
      <button
        type="button"
        className="button primary full-width"
        disabled={consume.isPending}
        onClick={() => consume.mutate()}
      >
        {i18n.t('Sign in')}
      </button>
      <BackToSignIn />
    </GateLayout>
  );
}
