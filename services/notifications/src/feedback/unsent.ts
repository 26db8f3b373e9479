// Feedback that did not go out, as operators see it: of every application, as the relay's role.

/** The deadline of the request that sends it, and a little: past this nobody is sending it any more. */
export const sendingMs = 15_000;

/**
 * What of `notifications.feedback` is kept to be sent again: what the relay did not confirm, and what was being sent by a
 * process that is gone, of which nobody knows.
 */
export const unsent = `(status IN ('FAILED', 'ASKED')
  OR status = 'SENDING' AND coalesce(asked_at, created_at) < now() - interval '${sendingMs} milliseconds')`;

/** Of that, what was meant to go out: there was a relay. */
export const missed = `(${unsent} AND coalesce(error, '') NOT IN ('NO_RELAY', 'KEPT'))`;

/** Where the text is sealed. */
export function placeOf({ applicationId, id }: { readonly applicationId: string; readonly id: string }): string {
  return `${applicationId}/feedback/${id}`;
}
