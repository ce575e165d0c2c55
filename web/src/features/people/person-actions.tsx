import { MessageCircle, Phone, Video } from 'lucide-react';
import { i18n } from '../../i18n/i18n.ts';
import { useStartCall, type Targets } from '../../data/start-call.ts';
import { useOpenThread } from '../../data/open-thread.ts';
import { PersonAction } from './person-action.tsx';

interface PersonActionsProps {
  name: string;
  /** The target of a call. */
  target: NonNullable<Targets>[number];
  /** Their account; without one they only have a phone, which takes neither video nor messages. */
  user_id: string | undefined;
}

/** The buttons on a person's page that call them and write to them. */
export function PersonActions({ name, target, user_id }: PersonActionsProps) {
  const audio = useStartCall('audio');
  const video = useStartCall('video');
  const open = useOpenThread();
  const is_calling = audio.isPending || video.isPending;
  return (
    <div className="person-actions">
      <PersonAction
        icon={Phone}
        label={i18n.t('Call')}
        full_label={i18n.t('Call {name}', { name })}
        is_first
        disabled={is_calling}
        onPress={() => audio.mutate([target])}
      />
      {user_id === undefined ? null : (
        <>
          <PersonAction
            icon={Video}
            label={i18n.t('Video')}
            full_label={i18n.t('Video with {name}', { name })}
            disabled={is_calling}
            onPress={() => video.mutate([target])}
          />
          <PersonAction
            icon={MessageCircle}
            label={i18n.t('Message')}
            full_label={i18n.t('Message {name}', { name })}
            disabled={open.isPending}
            onPress={() => open.mutate({ user_id })}
          />
        </>
      )}
    </div>
  );
}
