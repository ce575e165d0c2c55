import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { Form, TextField } from '../../ui/form.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { i18n } from '../../i18n/i18n.ts';

type Chat = { readonly thread_id: string } | { readonly group_id: string };

/** A day as a date field has it, in the reader's zone. */
function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first message of a day, or of the next on which something was written; undefined where there is none. */
async function findFirst(chat: Chat, day: string): Promise<string | undefined> {
  const query = { since: new Date(`${day}T00:00`).toISOString(), limit: 1 };
  const { items } =
    'thread_id' in chat
      ? await sdk.dm.listThreadMessages({ path: chat, query })
      : await sdk.chats.listGroupChat({ path: chat, query });
  return items[0]?.id;
}

interface JumpSheetProps {
  chat: Chat;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Enters a chat at what was written first on a day. */
export function JumpSheet({ chat, onClose, returnTo }: JumpSheetProps) {
  const [day, setDay] = useState(dayOf(new Date()));
  const navigate = useNavigate();
  const jump = useMutation({
    mutationFn: () => findFirst(chat, day),
    onSuccess: (at) => {
      onClose();
      // After the last day on which something was written stands the newest.
      const search = at === undefined ? {} : { at };
      return 'thread_id' in chat
        ? navigate({ to: '/messages/$threadId', params: { threadId: chat.thread_id }, search })
        : navigate({ to: '/messages/group/$groupId', params: { groupId: chat.group_id }, search });
    },
  });
  return (
    <Sheet open onClose={onClose} title={i18n.t('Jump to a date')} returnTo={returnTo} width_px={380}>
      <Form problem={jump.isError ? describeProblem(jump.error) : undefined} onSubmit={() => jump.mutate()}>
        <TextField
          label={i18n.t('Day')}
          type="date"
          required
          max={dayOf(new Date())}
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value || day)}
        />
        <button type="submit" className="btn primary wide-btn" aria-disabled={jump.isPending}>
          {i18n.t('Jump')}
        </button>
      </Form>
    </Sheet>
  );
}
