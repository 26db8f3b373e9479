// Metadata keys that both ends of a gRPC call agree on.

/** google.rpc.Status, which carries an error's details. */
export const statusDetailsKey = "grpc-status-details-bin";

/** Set on the refusal of a token, as HTTP has it with 401. */
export const challengeHeader = "www-authenticate";

/** Set on the refusal of a token for its time, before anything of the call was run. */
export const refusedTimeHeader = "ems-token-time";

/** Set on a refusal by a process that runs nothing at present: the call may be repeated elsewhere, whatever it does. */
export const notRunHeader = "ems-not-run";

/** The RPC of grpc.health.v1 that every process answers, also without a token. */
export const healthCheckPath = "/grpc.health.v1.Health/Check";

/** The service's time in milliseconds since 1970, in its health answer. */
export const timeHeader = "ems-time";

/** Set on every error that a handler or an interceptor answered; an error without it comes from the transport. */
export const answeredKey = "ems-answered";
