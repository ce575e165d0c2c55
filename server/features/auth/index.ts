import { delivery_jobs } from '../../domain/delivery/delivery.ts';
import { sessionChanged, sessionRevoked } from '../../domain/accounts/session-events.ts';
import { feature } from '../../kernel/endpoint.ts';
import { checkUsername } from './check-username.ts';
import { consumeMagicLink } from './consume-magic-link.ts';
import { forgotPassword } from './forgot-password.ts';
import { sendLink } from './jobs.ts';
import { listSessions } from './list-sessions.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { refreshSession } from './refresh-session.ts';
import { register } from './register.ts';
import { resendLoginCode } from './resend-login-code.ts';
import { resendRegistrationCode } from './resend-registration-code.ts';
import { resetPassword } from './reset-password.ts';
import { revokeAllSessions } from './revoke-all-sessions.ts';
import { revokeSession } from './revoke-session.ts';
import { sendMagicLink } from './send-magic-link.ts';
import { verifyLogin } from './verify-login.ts';
import { verifyRegistration } from './verify-registration.ts';
import { lifecycle } from './lifecycle.ts';

export const auth = feature({
  area: 'auth',
  title: 'Authentication',
  endpoints: [
    register,
    resendRegistrationCode,
    verifyRegistration,
    login,
    resendLoginCode,
    verifyLogin,
    logout,
    sendMagicLink,
    consumeMagicLink,
    refreshSession,
    forgotPassword,
    resetPassword,
    listSessions,
    revokeAllSessions,
    revokeSession,
    checkUsername,
  ],
  events: [sessionRevoked, sessionChanged],
  jobs: [sendLink, ...delivery_jobs],
  lifecycle,
});
