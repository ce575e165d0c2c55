import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { Form, TextField } from '../../ui/form.tsx';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { i18n } from '../../i18n/i18n.ts';
import type { ChatSource } from './chat-message.ts';

/** The value of a date field, in the reader's time zone. */
function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first message on or after a day; undefined if there is none. */
async function findFirst(chat: ChatSource, day: string): Promise<string | undefined> {
  const query = { since: new Date(`${day}T00:00`).toISOString(), limit: 1 };
  return (await listIn(chat, query)).items[0]?.id;
}

/** The identifiers of the messages of a chat. */
function listIn(chat: ChatSource, query: { since: string; limit: number }): Promise<{ items: { id: string }[] }> {
  if ('thread_id' in chat) return sdk.dm.listThreadMessages({ path: chat, query });
  if ('group_id' in chat) return sdk.chats.listGroupChat({ path: chat, query });
  if ('conference_id' in chat) return sdk.callHistory.listCallTranscript({ path: chat, query });
  const { widget_id, guest_id } = chat;
  const whose = guest_id === undefined ? {} : { guest_id };
  return sdk.widgetChats.listWidgetChat({ path: { widget_id }, query: { ...query, ...whose } });
}

interface JumpSheetProps {
  chat: ChatSource;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Opens a chat at the first message of a day. */
export function JumpSheet({ chat, onClose, returnTo }: JumpSheetProps) {
  const [day, setDay] = useState(dayOf(new Date()));
  const navigate = useNavigate();
  const jump = useMutation({
    mutationFn: () => findFirst(chat, day),
    onSuccess: (at) => {
      onClose();
      // After the last day with messages, open the chat at its newest.
      return navigate({ to: '.', search: at === undefined ? {} : { at } });
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
        <button type="submit" className="button primary full-width" aria-disabled={jump.isPending}>
          {i18n.t('Jump')}
        </button>
      </Form>
    </Sheet>
  );
}
