import { Waiting } from '../../ui/page.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMe } from '../me/me-query.ts';
import type { Me } from '../me/me-query.ts';
import { useSwitchMe } from '../me/use-switch-me.ts';
import { DevicePushSwitch } from '../push/device-push-switch.tsx';

type Kind = keyof Me['notifications'];

const KINDS: Readonly<Record<Kind, string>> = {
  follow: 'New followers',
  follow_request: 'Follow requests',
  follow_accepted: 'My follow requests are accepted',
  reply: 'Replies to my posts',
  like: 'Likes of my posts',
  comment: 'Comments on my profile',
  mention: 'Mentions of me or my tags',
  group_invite: 'Group invites',
  group_joined: 'New members in my groups',
  message_request: 'Message requests',
  invite_accepted: 'Accepted invites',
  mobile_claimed: 'My mobile number verified by someone else',
  reminder: 'My reminders',
  job_failed: 'What I have scheduled fails',
  event_shared: 'Events shared with me',
  event_starting: 'An event with a call starts',
  event_reminder: 'Reminders of my events',
};

/** What the reader wants to hear of, and how much a push may say. Each switch holds at once. */
export function NotificationSettingsPage() {
  const me = useMe();
  const update = useSwitchMe();
  if (me === undefined) return <Waiting what="Fetching your settings" />;
  return (
    <>
      <section className="card" aria-labelledby="kinds-heading">
        <h2 id="kinds-heading">Notify me about</h2>
        <div>
          {(Object.keys(KINDS) as Kind[]).map((kind) => (
            <Switch
              key={kind}
              label={KINDS[kind]}
              on={me.notifications[kind]}
              onSwitch={() => update.mutate({ notifications: { [kind]: !me.notifications[kind] } })}
            />
          ))}
        </div>
      </section>
      <section className="card" aria-labelledby="push-heading">
        <h2 id="push-heading">On my devices</h2>
        <div>
          <DevicePushSwitch />
          <Switch
            label="Show what it is about"
            hint="Switched off, a notification says only that there is something new. Holds for all of your devices."
            on={me.push_text}
            onSwitch={() => update.mutate({ push_text: !me.push_text })}
          />
        </div>
      </section>
    </>
  );
}
