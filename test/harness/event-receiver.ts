// Webhook receivers next to the product: TLS by a test authority, host names by a name server on loopback. They record accepted
// requests, across restarts.

import type { KeyAndCertificate } from "@ems/test-support/certificates";
import { loopbackHost } from "@ems/test-support/loopback";
import { startWebhookNetwork, type WebhookNetwork } from "@ems/test-support/webhook-network";
import type { Behaviour, ReceivedRequest, Receiver } from "@ems/test-support/webhook-receiver";

/** A receiver with its own host name, certificate and behavior. */
export interface EventEndpoint {
  readonly name: string;
  /** For `POST /v0/webhook`. */
  readonly url: string;
  /** `webhook-id` of requests that are not fully answered yet. */
  inHand(): ReadonlySet<string>;
  /** Sets the behavior of further requests. */
  behave(behaviour: Behaviour | ((request: ReceivedRequest) => Behaviour)): void;
  /** Sets the certificate of further connections. */
  present(identity: KeyAndCertificate): void;
  /** Takes the receiver down, so that connections are refused, or up again. */
  refuse(isDown: boolean): Promise<void>;
}

/** The default receiver, and further ones. */
export interface EventReceiver extends EventEndpoint, Pick<WebhookNetwork, "ca" | "dns"> {
  /** Environment of the product that lets it reach them: name server, authority, loopback allowed. */
  readonly env: Readonly<Record<string, string>>;
  /** Requests answered with 2xx so far, oldest first. */
  readonly accepted: () => readonly ReceivedRequest[];
  /** `webhook-id` of requests that were answered with 2xx and concern that application and type. */
  getIds(applicationId: string, type: string): Set<string>;
  /** Starts another receiver. */
  another(name: string): Promise<EventEndpoint>;
  close(): Promise<void>;
}

/** Behavior of a healthy receiver. */
export const well: Behaviour = { kind: "answer", status: 200 };
/** Calls `onAccepted` with each request that is answered with 2xx. */
export async function startEventReceiver(
  onAccepted: (request: ReceivedRequest) => void = () => undefined,
): Promise<EventReceiver> {
  const end = await startWebhookNetwork();
  const accepted: ReceivedRequest[] = [];
  const another = (name: string) =>
    startEndpoint(end, name, (request) => {
      accepted.push(request);
      onAccepted(request);
    });
  return {
    ...(await another("receiver.ems.test")),
    ca: end.ca,
    dns: end.dns,
    env: { ...end.env, WEBHOOK_ALLOW_CIDRS: `${loopbackHost}/32` },
    accepted: () => accepted,
    getIds: (applicationId, type) =>
      new Set(
        accepted
          .filter(({ body }) => {
            const event = JSON.parse(body) as { applicationId: string; type: string };
            return event.applicationId === applicationId && event.type === type;
          })
          .map(({ id }) => id),
      ),
    another,
    close: () => end.close(),
  };
}

async function startEndpoint(
  end: WebhookNetwork,
  name: string,
  onAccepted: (request: ReceivedRequest) => void,
): Promise<EventEndpoint> {
  let identity = await end.ca.issue([name]);
  let answer: (request: ReceivedRequest) => Behaviour = () => well;
  const start = async (port: number): Promise<Receiver> => {
    const started = await end.receiver(name, { identity, host: loopbackHost, port, keepsRequests: false });
    started.behave((request) => {
      const behaviour = answer(request);
      if (isAccepting(behaviour)) onAccepted(request);
      return behaviour;
    });
    return started;
  };
  let receiver: Receiver | undefined = await start(0);
  const { port } = receiver;
  return {
    name,
    url: `https://${name}:${port}/events`,
    inHand: () => receiver?.inHand ?? new Set(),
    behave(behaviour) {
      answer = typeof behaviour === "function" ? behaviour : () => behaviour;
    },
    present(next) {
      identity = next;
      receiver?.present(identity);
    },
    async refuse(isDown) {
      await receiver?.close();
      receiver = isDown ? undefined : await start(port);
    },
  };
}

function isAccepting(behaviour: Behaviour): boolean {
  return behaviour.kind === "answer" && behaviour.status >= 200 && behaviour.status < 300;
}
