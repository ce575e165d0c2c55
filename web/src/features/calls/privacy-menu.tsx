import type { Call } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Globe, Lock, UsersRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { keepCall } from './state/call-queries.ts';
import { useMenu } from '../../ui/overlay/use-menu.ts';

const CHOICES = [
  {
    value: 'private',
    label: 'Private',
    detail: 'Only people who are called',
    for_guests: 'Only people who are called',
    icon: Lock,
  },
  {
    value: 'followers',
    label: 'Followers',
    detail: 'Those who follow you may come in, too',
    for_guests: 'Those who follow the host may come in, too',
    icon: UsersRound,
  },
  {
    value: 'public',
    label: 'Public',
    detail: 'Anybody with the link may come in',
    for_guests: 'Anybody with the link may come in',
    icon: Globe,
  },
] as const;

/** Who may come in: the host chooses, others read it. */
export function PrivacyMenu({ call, is_host }: { call: Call; is_host: boolean }) {
  const menu = useMenu();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (privacy: Call['privacy']) => sdk.calls.setCallPrivacy({ body: { privacy } }),
    onSuccess: (changed) => keepCall(queries, changed),
    onError: (error) => showToast(describeProblem(error)),
  });
  const present = CHOICES.find((choice) => choice.value === call.privacy) ?? CHOICES[0];
  const Icon = present.icon;
  if (!is_host) {
    return (
      <span className="chip" title={present.for_guests}>
        <Icon aria-hidden="true" size={14} />
        <span className="wide-only" aria-hidden="true">
          {present.label}
        </span>
        <span className="visually-hidden">{`${present.label}: ${present.for_guests}`}</span>
      </span>
    );
  }
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger {...menu.trigger} className="button button-plain" disabled={change.isPending}>
        <Icon aria-hidden="true" />
        <span className="visually-hidden">Who may come in: {present.label}</span>
        <span className="wide-only" aria-hidden="true">
          {present.label}
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...menu.content} className="menu" align="end" sideOffset={6} collisionPadding={12}>
          <DropdownMenu.RadioGroup
            value={call.privacy}
            onValueChange={(value) => change.mutate(value as Call['privacy'])}
          >
            {CHOICES.map((choice) => (
              <DropdownMenu.RadioItem key={choice.value} value={choice.value} className="menu-item">
                <span className="tick">
                  <DropdownMenu.ItemIndicator>
                    <Check aria-hidden="true" />
                  </DropdownMenu.ItemIndicator>
                </span>
                <span>
                  {choice.label}
                  <br />
                  <span className="soft small">{choice.detail}</span>
                </span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
