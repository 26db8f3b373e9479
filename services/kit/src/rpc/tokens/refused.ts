// Reasons of refused tokens. A caller gets details only if its identity is verified; the log has the rest.

import { errors } from "jose";

type Reason = "CALLER_TOKEN_MISSING" | "CALLER_TOKEN_INVALID" | "CALLER_TOKEN_EXPIRED";

export class Refused extends Error {
  readonly reason: Reason;
  readonly logged: string;
  /** True if the token was refused because of its time: a new one may be accepted. */
  readonly isForTime: boolean;

  constructor(reason: Reason, message: string, logged = message, isForTime = false) {
    super(message);
    this.reason = reason;
    this.logged = logged;
    this.isForTime = isForTime;
  }
}

export function tokenMissing(): Refused {
  const message = "Send `authorization: Bearer` with a token of a platform caller, or call the gateway with an API key";
  return new Refused("CALLER_TOKEN_MISSING", message, "no token");
}

export function tokenInvalid(message: string, logged = message): Refused {
  return new Refused("CALLER_TOKEN_INVALID", message, logged);
}

/** The token was not signed by any allowed caller; the name in it is not revealed. */
export function notVerified(logged: string): Refused {
  return tokenInvalid("No caller of this service has signed the token", logged);
}

export function toRefused(error: unknown, audience: string): Refused {
  if (error instanceof Refused) return error;
  if (error instanceof errors.JWTExpired) {
    return new Refused("CALLER_TOKEN_EXPIRED", "The token has expired", error.code, true);
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason, code } = error;
    const fault = reason === "missing" ? "missing" : "wrong";
    const message = claim === "aud" ? `The token is not for ${audience}` : `The token's claim ${claim} is ${fault}`;
    const isForTime = claim === "iat" && reason !== "missing";
    return new Refused("CALLER_TOKEN_INVALID", message, `${code} ${claim}`, isForTime);
  }
  return notVerified(error instanceof errors.JOSEError ? error.code : String(error));
}
