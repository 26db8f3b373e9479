// Metadata keys shared by both ends of a gRPC call.

/** Key of the google.rpc.Status with an error's details. */
export const statusDetailsKey = "grpc-status-details-bin";

/** Set when a token is refused, like the header of an HTTP 401. */
export const challengeHeader = "www-authenticate";

/** Set when a token is refused because of its time, before any of the call was run. */
export const refusedTimeHeader = "ems-token-time";

/** Set by a process that currently runs nothing: any call may be repeated elsewhere. */
export const notRunHeader = "ems-not-run";

/** RPC of grpc.health.v1 that every process serves, also without a token. */
export const healthCheckPath = "/grpc.health.v1.Health/Check";

/** The service's time in milliseconds since 1970, in its health response. */
export const timeHeader = "ems-time";

/** Set on every error from a handler or an interceptor; an error without it comes from the transport. */
export const answeredKey = "ems-answered";
