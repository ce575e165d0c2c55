const ARM =
  'M12 1.200c1.500 0 2.200 1 2 2.600L12.900 12 14 20.200c.2 1.600-.5 2.600-2 2.600s-2.200-1-2-2.600L11.100 12 10 3.800c-.2-1.600.5-2.600 2-2.600z';

/** The arms of the asterisk in a field of 24 by 24, for drawings that hold it. */
export function AsterArms() {
  return [0, 60, 120].map((turn) => <path key={turn} transform={`rotate(${turn} 12 12)`} d={ARM} />);
}

/** The gold asterisk: tags, and the brand. Decoration: a name stands beside it. */
export function Aster() {
  return (
    <svg className="aster" viewBox="0 0 24 24" aria-hidden="true">
      <AsterArms />
    </svg>
  );
}
