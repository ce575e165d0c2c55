/** The account's pages, loaded together: they are small, and a reader who opens one usually opens another. */
export { DeletePage } from './delete-page.tsx';
export { HandlesPage } from './handles-page.tsx';
export { MobilePage } from './mobile-page.tsx';
export { PasswordPage } from './password-page.tsx';
export { ProfilePage } from './profile-page.tsx';
export { SessionsPage } from './sessions-page.tsx';
export { SettingsLayout } from './settings-layout.tsx';
