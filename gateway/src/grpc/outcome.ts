/** What metrics and log tell of a request when it has ended. */
export interface Outcome {
  readonly requestId: string;
  /** As HTTP counts it. */
  status: number;
  /** As gRPC names it. */
  code: string;
  /** Of a stream: when its first message was sent, which is when it was answered. */
  answeredMs?: number;
}
