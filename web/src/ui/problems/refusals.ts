import { i18n } from '../../i18n/i18n.ts';

/** What the service's refusals mean, by their codes. */
export const refusals: Readonly<Record<string, () => string>> = {
  token_invalid: () => i18n.t('You are signed out. Sign in again.'),
  invalid_credentials: () => i18n.t('The username or the password is not right.'),
  forbidden: () => i18n.t('You may not do this.'),
  account_suspended: () => i18n.t('This account is suspended.'),
  mobile_unverified: () => i18n.t('Verify your mobile number first.'),
  plan_limit_reached: () => i18n.t('You have reached the limit of your plan.'),
  not_found: () => i18n.t('This is not here, or not for you.'),
  conflict: () => i18n.t('This cannot be done as things stand now.'),
  username_taken: () => i18n.t('This username is already taken.'),
  tag_taken: () => i18n.t('This tag name is already taken.'),
  mobile_taken: () => i18n.t('This number is already verified on another account.'),
  call_in_progress: () => i18n.t('You are already in a call.'),
  call_locked: () => i18n.t('The host has locked this call.'),
  already_decided: () => i18n.t('This has already been decided.'),
  revision_conflict: () => i18n.t('It was changed elsewhere meanwhile. Look at it and try again.'),
  not_open_yet: () => i18n.t('This is not open yet.'),
  edit_closed: () => i18n.t('This can no longer be edited.'),
  thread_pending: () => i18n.t('Wait for them to accept your request before you send another message.'),
  gone: () => i18n.t('This has expired or has already been used.'),
  payload_too_large: () => i18n.t('This is too large.'),
  unsupported_media_type: () => i18n.t('Files of this kind cannot be used here.'),
  validation_failed: () => i18n.t('Look at the fields again: something in them is not right.'),
  internal_error: () => i18n.t('Something went wrong on our side.'),
  unavailable: () => i18n.t('The service is busy. Try again shortly.'),
};
