import { Outlet } from '@tanstack/react-router';
import { CallHost } from '../features/calls/session/call-host.tsx';
import { IncomingCall } from '../features/calls/incoming/incoming-call.tsx';
import { CommandBar } from '../features/commands/command-bar.tsx';
import { OutboxProvider } from '../features/chat/outbox-context.tsx';
import { LocationReporter } from '../features/location/location-reporter.tsx';
import { ConnectionNotice } from '../features/realtime/connection-notice.tsx';
import { RealtimeProvider } from '../features/realtime/realtime-provider.tsx';
import { MainNav } from './main-nav.tsx';
import { PendingProvider } from './pending-provider.tsx';
import { i18n } from '../i18n/i18n.ts';
import { useAccountLanguage } from '../features/me/use-account-language.ts';
import { useShownPath } from '../ui/hooks/use-shown-path.ts';

/** A call page fills the window. */
function Frame() {
  // That of the shown page, not of the address: the page before a call keeps its navigation until the call replaces it.
  const in_call = useShownPath().startsWith('/call/');
  // The page keeps its position among these: one that moved would be mounted a second time, which for a call means joining
  // again.
  return (
    <div className="app" data-alone={in_call ? '' : undefined}>
      {in_call ? null : (
        <>
          <a className="skip-link" href="#main">
            {i18n.t('Skip to the content')}
          </a>
          <MainNav />
        </>
      )}
      <div className="app-content">
        {in_call ? null : <ConnectionNotice />}
        <Outlet />
        <CallHost />
      </div>
    </div>
  );
}

/** The frame of every signed-in page: navigation, the realtime stream and incoming calls. */
export function Shell() {
  useAccountLanguage();
  return (
    <RealtimeProvider>
      <OutboxProvider>
        <PendingProvider>
          <Frame />
        </PendingProvider>
      </OutboxProvider>
      <IncomingCall />
      <CommandBar />
      <LocationReporter />
    </RealtimeProvider>
  );
}
