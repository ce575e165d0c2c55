/** The messages that this window is handing to the service right now, by the names of their places. */
const under_way = new Map<string, string>();

/** Whether the answer to a sending of this window is about to bring a message of these words. */
export const isInFlight = (place: string, body: string): boolean => under_way.get(place) === body;

/** Notes that words are on their way to a place until the work is done. */
export async function whileInFlight<T>(place: string, body: string, work: () => Promise<T>): Promise<T> {
  under_way.set(place, body);
  try {
    return await work();
  } finally {
    under_way.delete(place);
  }
}
