import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TextField } from '../../ui/form.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { usernameQuery } from './username-query.ts';

const TYPING_PAUSE_MS = 350;

const REASONS: Readonly<Record<string, string>> = {
  get taken() {
    return i18n.t('This username is taken.');
  },
  get username_taken() {
    return i18n.t('This username is taken.');
  },
  get invalid() {
    return i18n.t('Use 3 to 30 of a–z, 0–9, _ and .');
  },
  get reserved() {
    return i18n.t('This username is reserved.');
  },
};

/** A username field that checks availability while typing. */
export function UsernameField({ error }: { error?: string | undefined }) {
  const [value, setValue] = useState('');
  const username = useDebounced(value.trim().toLowerCase(), TYPING_PAUSE_MS);
  const well_formed = /^[a-z0-9_.]{3,30}$/.test(username);
  const check = useQuery({ ...usernameQuery(username), enabled: well_formed });
  const current = username === value.trim().toLowerCase() && well_formed;
  const reply = current ? check.data : undefined;
  const taken =
    reply?.available === false
      ? (REASONS[reply.reason ?? 'taken'] ?? i18n.t('This username isn’t available.'))
      : undefined;
  let hint = i18n.t('3 to 30 letters, digits, dots or underscores.');
  if (reply?.available === true) hint = i18n.t('{username} is available.', { username });
  else if (current && check.isError) hint = describeProblem(check.error);
  return (
    <TextField
      label={i18n.t('Username')}
      name="username"
      value={value}
      onChange={(event) => setValue(event.target.value)}
      error={error ?? taken}
      hint={taken === undefined ? <span aria-live="polite">{hint}</span> : undefined}
      hintTone={reply?.available === true ? 'ok' : undefined}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      minLength={3}
      maxLength={MAX_LENGTH.username}
      required
    />
  );
}
