import { ASTER_ARM, ASTER_TURNS } from '@asterism/sdk';

/** The arms of the asterisk in a field of 24 by 24, for drawings that hold it. */
export function AsterArms() {
  return ASTER_TURNS.map((turn) => <path key={turn} transform={`rotate(${turn} 12 12)`} d={ASTER_ARM} />);
}

/** The gold asterisk: tags, and the brand. Decoration: a name stands beside it. */
export function Aster() {
  return (
    <svg className="aster" viewBox="0 0 24 24" aria-hidden="true">
      <AsterArms />
    </svg>
  );
}
