import { sentTo } from '../../domain/accounts/challenges.ts';
import { component, object, oneOf, Type } from '../../kernel/schema.ts';

export const RegistrationSent = component(
  'RegistrationSent',
  object({ status: oneOf('code_sent'), registration_id: Type.String(), ...sentTo }),
);
export const LoginCodeSent = component(
  'LoginCodeSent',
  object({ status: oneOf('otp_required'), login_id: Type.String(), ...sentTo }),
);

/** The answer that does not say whether there is such an account. */
export const Accepted = component('Accepted', object({ status: oneOf('accepted') }));
