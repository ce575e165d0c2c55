import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, ArrowRight, Phone, X } from 'lucide-react';
import { useState } from 'react';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FavouriteCall } from './favourite-call.tsx';
import { gridQuery, type Tile } from '../../data/queries/grid-query.ts';
import { HangUp } from '../calls/hang-up.tsx';
import { describeState } from '../calls/state/participant-text.ts';
import { i18n } from '../../i18n/i18n.ts';
import { useGridMutations } from './grid-mutations.ts';
import './grid.css';

/** States in which a tap calls that favourite again. */
const AGAIN: readonly Tile['state'][] = ['left', 'declined', 'no_answer', 'busy', 'failed'];

interface TileProps {
  tile: Tile;
  last: number;
  /** Whether the buttons for moving and removing it are shown. */
  is_edited: boolean;
  actions: ReturnType<typeof useGridMutations>;
  onDrag: (contact_id: string | undefined) => void;
  onDrop: (position: number) => void;
}

/** Buttons that move or remove a favourite, as an alternative to dragging. */
function MoveButtons({ tile, last, actions }: Pick<TileProps, 'tile' | 'last' | 'actions'>) {
  const { contact, position } = tile;
  const { id, name } = contact;
  const moveTo = (to: number) => actions.move.mutate({ contact_id: id, position: to });
  return (
    <span className="grid-moves">
      <button
        type="button"
        className="icon-button"
        aria-disabled={position === 0}
        onClick={() => (position === 0 ? undefined : moveTo(position - 1))}
      >
        <ArrowLeft aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Move {name} forward', { name })}</span>
      </button>
      <button type="button" className="icon-button" onClick={() => actions.remove.mutate(id)}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Remove {name} from the favourites', { name })}</span>
      </button>
      <button
        type="button"
        className="icon-button"
        aria-disabled={position === last}
        onClick={() => (position === last ? undefined : moveTo(position + 1))}
      >
        <ArrowRight aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Move {name} back', { name })}</span>
      </button>
    </span>
  );
}

function GridTile({ tile, last, is_edited, actions, onDrag, onDrop }: TileProps) {
  const { contact, position, state } = tile;
  const { id, name } = contact;
  return (
    <li
      className="grid-tile"
      data-state={state}
      draggable
      onDragStart={() => onDrag(id)}
      onDragEnd={() => onDrag(undefined)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop(position);
      }}
    >
      <FavouriteCall contact={contact} />
      <span className="soft small" role="status">
        {state === 'idle' ? '' : describeState(state)}
      </span>
      {AGAIN.includes(state) ? (
        <button
          type="button"
          className="button quiet"
          aria-label={i18n.t('Call again: {name}', { name })}
          onClick={() => actions.ringAgain.mutate(id)}
        >
          <Phone aria-hidden="true" />
          {i18n.t('Call again')}
        </button>
      ) : null}
      {is_edited ? <MoveButtons tile={tile} last={last} actions={actions} /> : null}
    </li>
  );
}

interface GridPageProps {
  /** Whether the title is visible. */
  has_title?: boolean;
  /** Whether the buttons for moving and removing favourites are shown. */
  edits: boolean;
  onEdits: (edits: boolean) => void;
}

/** The favourites, who are called together. */
export function GridPage({ has_title = false, edits, onEdits }: GridPageProps) {
  const grid = useQuery(gridQuery);
  const actions = useGridMutations();
  const [dragged, setDragged] = useState<string>();
  if (grid.isPending) return <Skeleton what={i18n.t('Loading your favourites')} />;
  if (grid.isError) return <Failure text={describeProblem(grid.error)} onRetry={() => void grid.refetch()} />;
  const { members, call } = grid.data;
  return (
    <section className="card" aria-labelledby="grid-heading">
      <h2 id="grid-heading" className={has_title ? 'pane-heading' : 'visually-hidden'}>
        {i18n.t('Favourites')}
      </h2>
      {members.length === 0 && call === null ? null : (
        <div className="cluster">
          {call === null ? (
            <button
              type="button"
              className="button quiet"
              aria-disabled={actions.callAll.isPending}
              onClick={() => (actions.callAll.isPending ? undefined : actions.callAll.mutate())}
            >
              <Phone aria-hidden="true" />
              {i18n.t('Call everyone')}
            </button>
          ) : (
            <span className="cluster">
              <Link to="/call/$joinCode" params={{ joinCode: call.join_code }} className="button primary">
                {i18n.t('Go to the call')}
              </Link>
              <button type="button" className="button danger" onClick={() => actions.end.mutate()}>
                <HangUp aria-hidden="true" />
                {i18n.t('End call')}
              </button>
            </span>
          )}
          <button type="button" className="button quiet" aria-pressed={edits} onClick={() => onEdits(!edits)}>
            {edits ? i18n.t('Done') : i18n.t('Edit')}
          </button>
        </div>
      )}
      {members.length === 0 ? (
        <EmptyState
          title={i18n.t('No favourites yet')}
          text={i18n.t('Add people from your contacts to call them with one tap.')}
          level={3}
        >
          <Link to="/contacts" className="button primary">
            {i18n.t('Open contacts')}
          </Link>
        </EmptyState>
      ) : null}
      <ul className="grid-tiles" aria-label={i18n.t('Favourites')}>
        {members.map((tile) => (
          <GridTile
            key={tile.contact.id}
            tile={tile}
            last={members.length - 1}
            is_edited={edits}
            actions={actions}
            onDrag={setDragged}
            onDrop={(position) => {
              if (dragged !== undefined) actions.move.mutate({ contact_id: dragged, position });
            }}
          />
        ))}
      </ul>
    </section>
  );
}
