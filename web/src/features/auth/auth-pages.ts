/** The pages before the sign-in, loaded together: they are small, and one leads to another. */
export { LoginCodePage, RegistrationCodePage } from './code-pages.tsx';
export { ForgotPage, MagicLinkPage, MagicPage } from './link-pages.tsx';
export { RegisterPage } from './register-page.tsx';
export { ResetPage } from './reset-page.tsx';
export { SignInPage } from './sign-in-page.tsx';
