// The format in which a skipped test names what the machine lacks; written by the tests, and read by `tools/steps.mjs`.
// Plain JavaScript, since the steps run on an older Node than the tests.

/** A title with the reason for skipping, or the title itself when nothing is missing. */
export const titleWithReason = (title, missing) => (missing ? `${title} (skipped without ${missing})` : title);

const REASON = /\(skipped without ([^)]+)\)/;

/** What a skipped test lacked, from its full name; undefined without a reason. */
export const readReason = (full_name) => REASON.exec(full_name)?.[1];
