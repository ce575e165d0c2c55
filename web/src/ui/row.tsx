import type { ReactNode } from 'react';

interface RowProps {
  /** A picture or an icon at the start. */
  picture?: ReactNode;
  title: ReactNode;
  /** The one second line. */
  detail?: ReactNode;
  /** A time or a value at the end of the first line. */
  at?: ReactNode;
  /** A badge at the end of the second line. */
  mark?: ReactNode;
  /** A button or an arrow at the end of the row. */
  end?: ReactNode;
}

/** The content of a list row. The element around it has the class `row` and is a link, a button or a list item. */
export function Row({ picture, title, detail, at, mark, end }: RowProps) {
  return (
    <>
      {picture}
      <span className="body">
        <span className="l1">
          <b className="cut" dir="auto">
            {title}
          </b>
          {at}
        </span>
        {detail === undefined ? null : (
          <span className="l2">
            <span className="cut" dir="auto">
              {detail}
            </span>
            {mark}
          </span>
        )}
      </span>
      {end}
    </>
  );
}
