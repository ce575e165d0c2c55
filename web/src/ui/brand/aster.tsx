import { ASTER_ARM, ASTER_TURNS } from '@asterism/sdk';

/** The arms of the asterisk in a 24 by 24 field, for use within another drawing. */
export function AsterArms() {
  return ASTER_TURNS.map((turn) => <path key={turn} transform={`rotate(${turn} 12 12)`} d={ASTER_ARM} />);
}

/** The gold asterisk: tags, and the brand. Decorative: a name is next to it. */
export function Aster() {
  return (
    <svg className="aster" viewBox="0 0 24 24" aria-hidden="true">
      <AsterArms />
    </svg>
  );
}
