/** How the embedded server is addressed: a unix socket and nothing else. */

/** The account and the database of the service in it. */
export const USER = 'asterism';
export const DATABASE = 'asterism';
/** Names the socket's file only: no TCP port is opened. */
export const PORT = 5432;

/** The connection string of a database of the server whose socket stands in a folder. */
export function urlOf(socket_dir: string, database = DATABASE): string {
  return `postgresql://${USER}@localhost/${database}?host=${encodeURIComponent(socket_dir)}&port=${PORT}`;
}
