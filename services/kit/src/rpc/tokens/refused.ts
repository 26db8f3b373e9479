// Why a token is refused. The sentence is for the caller, who is told more only when it has proved its name; the log has the rest.

import { errors } from "jose";

type Reason = "CALLER_TOKEN_MISSING" | "CALLER_TOKEN_INVALID" | "CALLER_TOKEN_EXPIRED";

export class Refused extends Error {
  readonly reason: Reason;
  readonly logged: string;
  /** The token was refused for the time that it was issued or expires: a new one may be accepted. */
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

/** Nobody who may call the service has signed it; whose name it has is not told. */
export function notVerified(logged: string): Refused {
  return tokenInvalid("No caller of this service has signed the token", logged);
}

export function refusalOf(error: unknown, audience: string): Refused {
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
