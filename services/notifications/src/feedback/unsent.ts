/** Slightly longer than a request's deadline: after it no process is still sending. */
export const sendingMs = 15_000;

/** SQL condition: the mail relay did not confirm it, or the process that was sending it is gone. */
export const unsent = `(status IN ('FAILED', 'ASKED')
  OR status = 'SENDING' AND coalesce(asked_at, created_at) < now() - interval '${sendingMs} milliseconds')`;

/** SQL condition: unsent although there was a mail relay. */
export const missed = `(${unsent} AND coalesce(error, '') NOT IN ('NO_RELAY', 'KEPT'))`;
