/** Slightly longer than the deadline of a request: after this time, no process is still sending. */
export const sendingMs = 15_000;

/** SQL condition: the mail relay did not confirm the mail, or the process that was sending it died. */
export const unsent = `(status IN ('FAILED', 'ASKED')
  OR status = 'SENDING' AND coalesce(asked_at, created_at) < now() - interval '${sendingMs} milliseconds')`;

/** SQL condition: unsent although a mail relay was configured. */
export const missed = `(${unsent} AND coalesce(error, '') NOT IN ('NO_RELAY', 'KEPT'))`;
