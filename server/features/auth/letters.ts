import type { Message } from '../../domain/delivery.ts';

/** What the owner of an address hears when somebody registers with it. */
export const alreadyRegistered: Message = {
  subject: 'You have an Asterism account already',
  text: 'Somebody, probably you, tried to register at Asterism with this address. It belongs to an account already: sign in with it, or ask for a new password.',
};
