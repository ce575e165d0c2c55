import type { Status } from '@asterism/sdk';
import { StatusCard } from './status-card.tsx';

/** Posts, one after the other. @param address of the list, where it is not the page's own */
export function StatusList({ statuses, address }: { statuses: readonly Status[]; address?: string }) {
  return (
    <ul className="statuses">
      {statuses.map((status, index) => (
        <li key={status.id}>
          <StatusCard status={status} list={address} is_near={index < 2} />
        </li>
      ))}
    </ul>
  );
}
