// Metadata keys that both ends of a gRPC call agree on.

/** google.rpc.Status, which carries an error's details. */
export const statusDetailsKey = "grpc-status-details-bin";

/** Set on the refusal of a token, as HTTP has it with 401. */
export const challengeHeader = "www-authenticate";

/** Set on every error that a handler or an interceptor answered; an error without it comes from the transport. */
export const answeredKey = "ems-answered";
