/** The e-mails and text messages of the service itself, in the recipient's language. Plain text. */
import { i18nOf, type Language } from '../../kernel/language/i18n.ts';
import type { Tier } from '../../kernel/caller.ts';
import type { Message } from './delivery.ts';

/** The parameters of each. `link` is an address, on a separate line. */
type Facts = {
  code: { code: string };
  already_registered: undefined;
  magic: { link: string };
  reset: { link: string };
  invite: { link: string; inviter: string; message: string | null };
  number_claimed: undefined;
};

/** The occasion of a message of the service. */
export type LetterKind = keyof Facts;

const withLink = (subject: string, text: string, link: string): Message => ({
  subject,
  text: `${text}\n\n${link}`,
  links: [link],
});

/** The templates. The text is used for SMS as well, without the subject. */
const letters: { [K in LetterKind]: (language: Language, facts: Facts[K]) => Message } = {
  code(language, { code }) {
    const i18n = i18nOf(language);
    return {
      subject: i18n.t('{code} is your Asterism code', { code }),
      text: i18n.t(
        'Your Asterism code is {code}. It is valid for ten minutes. No one from Asterism will ever ask you for it.',
        { code },
      ),
      code,
    };
  },
  already_registered(language) {
    const i18n = i18nOf(language);
    return {
      subject: i18n.t('You already have an Asterism account'),
      text: i18n.t(
        'Someone, probably you, tried to register at Asterism with this address. It already has an account: sign in, or reset your password.',
      ),
    };
  },
  magic(language, { link }) {
    const i18n = i18nOf(language);
    return withLink(
      i18n.t('Your sign-in link'),
      i18n.t('Sign in to Asterism with this link. It is valid for 15 minutes and works once:'),
      link,
    );
  },
  reset(language, { link }) {
    const i18n = i18nOf(language);
    return withLink(
      i18n.t('Reset your password'),
      i18n.t(
        'Set a new password for Asterism with this link. It is valid for 30 minutes and works once. If you did not request it, ignore this message:',
      ),
      link,
    );
  },
  invite(language, { link, inviter, message }) {
    const i18n = i18nOf(language);
    const quote = message === null ? '' : `\n\n${i18n.t('“{message}”', { message })}`;
    return {
      subject: i18n.t('{inviter} invites you to Asterism', { inviter }),
      text: `${i18n.t('{inviter} invites you to Asterism.', { inviter })}${quote}\n\n${i18n.t('Join with this link. It is valid for 14 days:')}\n${link}`,
      links: [link],
    };
  },
  number_claimed(language) {
    const i18n = i18nOf(language);
    return {
      subject: i18n.t('Someone else has verified your mobile number'),
      text: i18n.t(
        'Someone entered a code that we sent to the mobile number of your Asterism account. If the number is still yours, verify it again within seven days, and nothing changes. If you gave it up, you do not need to do anything: it will be transferred to them.',
      ),
    };
  },
};

/** The occasions of all messages of the service. */
export const letter_kinds = Object.keys(letters) as LetterKind[];

/** Renders a message of the service. @param facts its parameters, if it has any */
export function writeLetter<K extends LetterKind>(kind: K, language: Language, facts: Facts[K]): Message {
  return letters[kind](language, facts);
}

/** The inbox notice about a changed plan. */
export function writeTierNotice(tier: Tier, language: Language): string {
  const i18n = i18nOf(language);
  return tier === 'plus'
    ? i18n.t('You are now on the Plus plan. Thank you! Its higher limits apply immediately.')
    : i18n.t(
        'You are now on the free plan. Everything you have created stays; new items count against the limits of the free plan.',
      );
}
