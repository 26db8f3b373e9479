// What both ends of a gRPC call know.

/**
 * The largest message, request or answer, of every transport: a page of 100 resources of 128 KiB fits. A body of 1 MiB can become one of 5.5:
 * of free JSON, a small number is two characters there and eleven bytes here.
 */
export const maxMessageBytes = 16 * 1024 * 1024;

/** The metadata key of google.rpc.Status, which carries an error's details. */
export const statusDetails = "grpc-status-details-bin";

/** Set on every error that a handler or an interceptor of ours answered; one without it was made on the way. */
export const answeredKey = "ems-answered";
