import type { Call } from '@asterism/sdk';
import { UserPlus } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useRef, useState } from 'react';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { AddPeople } from './add-people.tsx';
import { CallMe, DialIn, DialNumber, PhoneLegs } from './dial-phones.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { pageDirection } from '../../../i18n/page-direction.ts';

/** Adds people, phones or the reader's own phone to the call, and shows the dial-in. */
export function DialSheet({ call, user_id }: { call: Call; user_id: string | undefined }) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        type="button"
        ref={trigger}
        className="button plain call-add"
        aria-label={i18n.t('Add people')}
        onClick={() => setOpen(true)}
      >
        <UserPlus aria-hidden="true" />
        <span className="wide-only">{i18n.t('Add')}</span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={i18n.t('Add people')} returnTo={trigger}>
        <Tabs.Root dir={pageDirection()} defaultValue="people" className="stack">
          <Tabs.List className="seg tabs" aria-label={i18n.t('How to add people')}>
            <Tabs.Trigger value="people">{i18n.t('People')}</Tabs.Trigger>
            <Tabs.Trigger value="phone">{i18n.t('Phone')}</Tabs.Trigger>
            <Tabs.Trigger value="dial-in">{i18n.t('Dial in')}</Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value="people" className="stack">
            <AddPeople call={call} />
          </Tabs.Content>
          <Tabs.Content value="phone" className="stack">
            <DialNumber call={call} />
            <PhoneLegs call={call} />
          </Tabs.Content>
          <Tabs.Content value="dial-in" className="stack">
            <CallMe call={call} user_id={user_id} />
            <DialIn dial_in={call.dial_in} />
          </Tabs.Content>
        </Tabs.Root>
      </Dialog>
    </>
  );
}
