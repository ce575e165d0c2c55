import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Globe, Lock, LockKeyhole, UsersRound } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { MenuTick, MenuLabel } from '../../ui/overlay/menu-item-parts.tsx';
import { sdk } from '../../asterism.ts';
import { copyText } from '../../ui/overlay/copy-text.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { cacheCall } from '../../data/queries/call-queries.ts';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { i18n } from '../../i18n/i18n.ts';

const CHOICES = [
  {
    value: 'private',
    get label() {
      return i18n.t('Private');
    },
    get detail() {
      return i18n.t('Only people who are called');
    },
    get for_guests() {
      return i18n.t('Only people who are called');
    },
    icon: Lock,
  },
  {
    value: 'followers',
    get label() {
      return i18n.t('Followers');
    },
    get detail() {
      return i18n.t('Your followers can join, too');
    },
    get for_guests() {
      return i18n.t('Followers of the host can join, too');
    },
    icon: UsersRound,
  },
  {
    value: 'public',
    get label() {
      return i18n.t('Public');
    },
    get detail() {
      return i18n.t('Anyone with the link can join');
    },
    get for_guests() {
      return i18n.t('Anyone with the link can join');
    },
    icon: Globe,
  },
] as const;

/** What a locked call says in place of its privacy, which applies again when it is unlocked. */
const LOCKED = {
  get label() {
    return i18n.t('Locked');
  },
  get for_guests() {
    return i18n.t('Only people who are called can join');
  },
  icon: LockKeyhole,
} as const;

const GUESTS = [
  {
    value: 'off',
    get label() {
      return i18n.t('No guests');
    },
    get detail() {
      return i18n.t('The link asks for an account');
    },
  },
  {
    value: 'ask',
    get label() {
      return i18n.t('Ask me');
    },
    get detail() {
      return i18n.t('Guests wait until you admit them');
    },
  },
  {
    value: 'open',
    get label() {
      return i18n.t('Let guests in');
    },
    get detail() {
      return i18n.t('Anyone with the link joins at once');
    },
  },
] as const;

interface RadioItemsProps {
  value: string;
  choices: readonly { readonly value: string; readonly label: string; readonly detail: string }[];
  onChoose: (value: string) => void;
}

function RadioItems({ value, choices, onChoose }: RadioItemsProps) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChoose}>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className="menu-item">
          <MenuTick />
          <MenuLabel label={choice.label} detail={choice.detail} />
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** Locks the call for people who were not called. */
function LockItem({ locked, onLock }: { locked: boolean; onLock: (locked: boolean) => void }) {
  return (
    <DropdownMenu.CheckboxItem className="menu-item" checked={locked} onCheckedChange={onLock}>
      <MenuTick />
      <MenuLabel label={i18n.t('Lock the call')} detail={i18n.t('Only people who are called can join')} />
    </DropdownMenu.CheckboxItem>
  );
}

interface PrivacyChipProps {
  icon: LucideIcon;
  label: string;
  for_guests: string;
}

function PrivacyChip({ icon: Icon, label, for_guests }: PrivacyChipProps) {
  return (
    <span className="chip" title={for_guests}>
      <Icon aria-hidden="true" size={14} />
      <span className="wide-only" aria-hidden="true">
        {label}
      </span>
      <span className="visually-hidden">{`${label}: ${for_guests}`}</span>
    </span>
  );
}

/** The privacy of a call: hosts change it, others see it. */
export function PrivacyMenu({ call, may_change }: { call: Call; may_change: boolean }) {
  const menu = useMenu();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { privacy: Call['privacy'] } | { guests: Call['guests'] } | { locked: boolean }) =>
      sdk.calls.setCallPrivacy({ body }),
    onSuccess: (changed) => cacheCall(queries, changed),
    onError: (error) => showToast(describeProblem(error)),
  });
  const letGuests = (guests: Call['guests']) =>
    change.mutate(
      { guests },
      {
        onSuccess: () => {
          if (guests !== 'off') void copyText(`${location.origin}/j/${call.join_code}`, i18n.t('Guest link copied.'));
        },
      },
    );
  const present = call.locked ? LOCKED : (CHOICES.find((choice) => choice.value === call.privacy) ?? CHOICES[0]);
  const Icon = present.icon;
  if (!may_change) return <PrivacyChip {...present} />;
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger {...menu.trigger} className="button plain" disabled={change.isPending}>
        <Icon aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Who can join: {label}', { label: present.label })}</span>
        <span className="wide-only" aria-hidden="true">
          {present.label}
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...menu.content} className="menu" align="end" sideOffset={6} collisionPadding={12}>
          <RadioItems
            value={call.privacy}
            choices={CHOICES}
            onChoose={(value) => change.mutate({ privacy: value as Call['privacy'] })}
          />
          <DropdownMenu.Separator className="menu-line" />
          <LockItem locked={call.locked} onLock={(locked) => change.mutate({ locked })} />
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Label className="menu-label">{i18n.t('People without an account')}</DropdownMenu.Label>
          <RadioItems value={call.guests} choices={GUESTS} onChoose={(value) => letGuests(value as Call['guests'])} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
