import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import type { Me } from '../../data/queries/me-query.ts';
import { useToggleSetting } from '../me/use-toggle-setting.ts';
import { DevicePushSwitch } from '../push/device-push-switch.tsx';
import { i18n } from '../../i18n/i18n.ts';

type Kind = keyof Me['notifications'];

const KINDS: Readonly<Record<Kind, string>> = {
  get follow() {
    return i18n.t('New followers');
  },
  get follow_request() {
    return i18n.t('Follow requests');
  },
  get follow_accepted() {
    return i18n.t('Accepted follow requests');
  },
  get reply() {
    return i18n.t('Replies to your posts');
  },
  get like() {
    return i18n.t('Likes of your posts');
  },
  get comment() {
    return i18n.t('Comments on your profile');
  },
  get mention() {
    return i18n.t('Mentions of you or your tags');
  },
  get group_mention() {
    return i18n.t('Mentions of you in group chats');
  },
  get group_invite() {
    return i18n.t('Group invites');
  },
  get group_joined() {
    return i18n.t('New members in your groups');
  },
  get message_request() {
    return i18n.t('Message requests');
  },
  get invite_accepted() {
    return i18n.t('Accepted invites');
  },
  get mobile_claimed() {
    return i18n.t('Your mobile number verified by someone else');
  },
  get reminder() {
    return i18n.t('Your reminders');
  },
  get job_failed() {
    return i18n.t('Scheduled messages that fail');
  },
  get event_shared() {
    return i18n.t('Events shared with you');
  },
  get event_starting() {
    return i18n.t('Calls of your events');
  },
  get event_reminder() {
    return i18n.t('Reminders of your events');
  },
};

/** Which notifications the reader wants, and how much a push reveals. Each switch takes effect immediately. */
export function NotificationSettingsPage() {
  const me = useMe();
  const update = useToggleSetting();
  if (me === undefined) return <Skeleton rows={5} what={i18n.t('Loading your settings')} />;
  return (
    <>
      <section className="card" aria-labelledby="kinds-heading">
        <h2 id="kinds-heading">{i18n.t('Get notified about')}</h2>
        <div className="group">
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
        <h2 id="push-heading">{i18n.t('On your devices')}</h2>
        <div className="group">
          <DevicePushSwitch />
          <Switch
            label={i18n.t('Show previews')}
            hint={i18n.t(
              'When off, a notification only says that there is something new. Applies to all of your devices.',
            )}
            on={me.push_text}
            onSwitch={() => update.mutate({ push_text: !me.push_text })}
          />
        </div>
      </section>
    </>
  );
}
