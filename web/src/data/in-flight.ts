/** The messages that this window is sending right now, by chat. */
const in_flight = new Map<string, string>();

/** Whether a request in flight of this window is about to return a message with this text. */
export const isInFlight = (place: string, body: string): boolean => in_flight.get(place) === body;

/** Marks a text as being sent to a chat until the work is done. */
export async function whileInFlight<T>(place: string, body: string, work: () => Promise<T>): Promise<T> {
  in_flight.set(place, body);
  try {
    return await work();
  } finally {
    in_flight.delete(place);
  }
}
