import { Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { animateLeave } from '../../../ui/overlay/dismiss/animate-leave.ts';
import type { Scope } from '../recurrence/series.ts';
import type { CalendarEvent } from '../calendar-queries.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** Deletes at once; for a series a menu asks for the scope. */
export function DeleteButton({ event, onDelete }: { event: CalendarEvent; onDelete: (scope: Scope) => void }) {
  const inside = (
    <>
      <Trash2 aria-hidden="true" />
      {i18n.t('Delete')}
    </>
  );
  if (event.rrule === null)
    return (
      <button type="button" className="button danger" onClick={() => onDelete('all')}>
        {inside}
      </button>
    );
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button danger">{inside}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content ref={animateLeave} className="menu" sideOffset={4} collisionPadding={12}>
          <DropdownMenu.Item className="menu-item" onSelect={() => onDelete('this')}>
            {i18n.t('This time')}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => onDelete('following')}>
            {i18n.t('This and all following')}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => onDelete('all')}>
            {i18n.t('Every time')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
