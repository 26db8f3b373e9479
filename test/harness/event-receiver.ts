// A receiver of webhooks beside the product: TLS by a test authority, a host name by a name server on loopback. It keeps
// what it got, over restarts.

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { throwAwayDir } from "@ems/kit/db/embedded/index";
import { createTestCa } from "@ems/kit/testing/certificates";
import { ownHost as host } from "@ems/kit/testing/own-host";
import { startDnsServer } from "@ems/notifications/delivery/testing/dns-server";
import { type ReceivedRequest, startReceiver } from "@ems/notifications/delivery/testing/receiver";

export interface EventReceiver {
  /** For `POST /v0/webhook`. */
  readonly url: string;
  /** What the product must be told to reach it: its name server, its authority, and that loopback is allowed. */
  readonly env: Record<string, string>;
  /** What was answered with 2xx so far, oldest first. */
  readonly accepted: () => readonly ReceivedRequest[];
  /** `webhook-id` of what was answered with 2xx and tells of that application and that type. */
  idsOf(applicationId: string, type: string): Set<string>;
  /** Goes down, so that connections are refused, or comes back. */
  refuse(isDown: boolean): Promise<void>;
  /** Answers 500 with the headers that it got, or is well again. */
  echo(isEcho: boolean): void;
  close(): Promise<void>;
}

const name = "receiver.ems.test";

/** `onAccepted` hears of each request as it is answered with 2xx. */
export async function startEventReceiver(
  onAccepted: (request: ReceivedRequest) => void = () => undefined,
): Promise<EventReceiver> {
  const directory = await throwAwayDir("ems-test-receiver-");
  const caFile = join(directory, "ca.pem");
  const ca = await createTestCa();
  await writeFile(caFile, ca.cert);
  const identity = await ca.issue([name]);
  const dns = await startDnsServer();
  dns.set(name, [host]);

  const accepted: ReceivedRequest[] = [];
  let isEcho = false;
  const start = async (port: number) => {
    const started = await startReceiver({ identity, host, port, keepsRequests: false });
    started.behave((request) => {
      if (isEcho) return { kind: "answer", status: 500, body: JSON.stringify(request.headers) };
      accepted.push(request);
      onAccepted(request);
      return { kind: "answer", status: 200 };
    });
    return started;
  };
  let receiver: Awaited<ReturnType<typeof start>> | undefined = await start(0);
  const { port } = receiver;
  return {
    url: `https://${name}:${port}/events`,
    env: { DNS_SERVERS: dns.address, WEBHOOK_CA_FILE: caFile, WEBHOOK_ALLOW_CIDRS: `${host}/32` },
    accepted: () => accepted,
    idsOf: (applicationId, type) =>
      new Set(
        accepted
          .filter(({ body }) => {
            const event = JSON.parse(body) as { applicationId: string; type: string };
            return event.applicationId === applicationId && event.type === type;
          })
          .map(({ id }) => id),
      ),
    async refuse(isDown) {
      if (isDown) await receiver?.close();
      receiver = isDown ? undefined : await start(port);
    },
    echo(next) {
      isEcho = next;
    },
    async close() {
      await receiver?.close();
      await dns.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
