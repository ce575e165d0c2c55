import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Input } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { Form, PasswordField, readText, TextField } from '../../ui/form.tsx';
import { InvitedBy } from '../invites/invited-by.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { useNext } from './after-sign-in.ts';
import { GateLayout } from './gate-layout.tsx';
import { UsernameField } from './username-field.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

type Registration = Input<'auth', 'register'>['body'];

const SHOWN = ['username', 'password', 'display_name', 'email', 'mobile_number'];

function readRegistration(data: FormData, invite_token: string | undefined): Registration {
  const body: Registration = { username: readText(data, 'username'), password: readText(data, 'password', 'raw') };
  const display_name = readText(data, 'display_name');
  const email = readText(data, 'email');
  const mobile_number = readText(data, 'mobile_number').replace(/[\s()-]/g, '');
  if (invite_token !== undefined) body.invite_token = invite_token;
  if (display_name !== '') body.display_name = display_name;
  if (email !== '') body.email = email;
  if (mobile_number !== '') body.mobile_number = mobile_number;
  return body;
}

/** Registers an account; a code is sent to the given e-mail or mobile number. */
export function RegisterPage() {
  const navigate = useNavigate();
  const next = useNext();
  const { invite_token } = useSearch({ from: '/register' });
  const register = useMutation({
    mutationFn: (body: Registration) => sdk.auth.register({ body }),
    onSuccess: ({ registration_id, channel, sent_to }) =>
      void navigate({ to: '/register/code', search: { registration_id, channel, sent_to, next } }),
  });
  const problems = fieldProblems(register.error);
  return (
    <GateLayout
      title={i18n.t('Create your account')}
      intro={i18n.t('Enter an e-mail address, a mobile number, or both.')}
    >
      {invite_token === undefined ? null : <InvitedBy token={invite_token} />}
      <Form
        problem={formProblem(register.error, SHOWN)}
        onSubmit={(data) => register.mutate(readRegistration(data, invite_token))}
      >
        <UsernameField error={problems['username']} />
        <TextField
          label={i18n.t('Display name')}
          name="display_name"
          autoComplete="name"
          error={problems['display_name']}
          hint={i18n.t('Optional. Shown beside your username.')}
        />
        <TextField label={i18n.t('E-mail')} name="email" type="email" autoComplete="email" error={problems['email']} />
        <TextField
          label={i18n.t('Mobile number')}
          name="mobile_number"
          type="tel"
          autoComplete="tel"
          placeholder="+15551234567"
          error={problems['mobile_number']}
          hint={i18n.t('With the country code, starting with +.')}
        />
        <PasswordField
          label={i18n.t('Password')}
          name="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={MAX_LENGTH.password}
          required
          error={problems['password']}
          hint={i18n.t('At least 8 characters. A few words work well.')}
        />
        <button type="submit" className="button primary full-width" disabled={register.isPending}>
          {i18n.t('Create account')}
        </button>
      </Form>
      <p className="soft">
        {i18n.t('Already have an account?')}{' '}
        <Link to="/sign-in" search={{ next }}>
          {i18n.t('Sign in')}
        </Link>
      </p>
    </GateLayout>
  );
}
