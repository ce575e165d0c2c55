/** The address of the embedded server: a unix socket and nothing else. */

/** The database role and the database of the service. */
export const USER = 'asterism';

/** The name of the database. */
export const DATABASE = 'asterism';
/** Only names the socket's file: no TCP port is opened. */
export const PORT = 5432;

/** The connection string of a database, by the folder of the server's socket. */
export function urlOf(socket_dir: string, database = DATABASE): string {
  return `postgresql://${USER}@localhost/${database}?host=${encodeURIComponent(socket_dir)}&port=${PORT}`;
}
