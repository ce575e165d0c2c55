/** The part of the driver's value conversion that its types omit. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Uint8Array | null;
}
