// A name server on loopback with answers set by a test.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { decode, encode, RECURSION_AVAILABLE } from "dns-packet";

/** Addresses, or a failure: a protocol error, or no answer. */
export type DnsAnswer = readonly string[] | "SERVFAIL" | "REFUSED" | "NXDOMAIN" | "silence";

export interface DnsServer {
  /** For `DNS_SERVERS`. */
  readonly address: string;
  /** Queries so far, oldest first. */
  readonly questions: readonly { readonly name: string; readonly type: string }[];
  /** Sets the answer for `name`; `byType` sets it for `A` or `AAAA` only. An unset name does not exist. */
  set(name: string, answer: DnsAnswer, byType?: Partial<Record<"A" | "AAAA", DnsAnswer>>): void;
  /** Answers for `name`, one per question of type A, repeating the last: DNS rebinding. */
  script(name: string, answers: readonly DnsAnswer[]): void;
  /** Stops or resumes answering for all names. */
  setSilent(isSilent: boolean): void;
  close(): Promise<void>;
}

const responseCodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

export async function startDnsServer(host = "127.0.0.1"): Promise<DnsServer> {
  const socket = createSocket("udp4");
  socket.bind(0, host);
  await once(socket, "listening");
  const answers = new Map<string, (type: string) => DnsAnswer>();
  const questions: { name: string; type: string }[] = [];
  let isAllSilent = false;
  socket.on("message", (message, { port, address }) => {
    const { id, questions: [question] = [] } = decode(message);
    if (question === undefined) return;
    // Resolvers may change the case of letters, to detect forged answers.
    const name = question.name.toLowerCase();
    const { type } = question;
    questions.push({ name, type });
    const answer = answers.get(name)?.(type) ?? "NXDOMAIN";
    if (isAllSilent || answer === "silence") return;
    const isFailure = typeof answer === "string";
    const addresses = isFailure ? [] : answer.filter((each) => isIPv6(each) === (type === "AAAA"));
    const flags = RECURSION_AVAILABLE | responseCodes[isFailure ? answer : "NOERROR"];
    const records = addresses.map((data) => ({
      name: question.name,
      type: type === "AAAA" ? ("AAAA" as const) : ("A" as const),
      ttl: 0,
      data,
    }));
    socket.send(
      encode({ type: "response", id: id ?? 0, flags, questions: [question], answers: records }),
      port,
      address,
    );
  });
  return {
    address: `${host}:${socket.address().port}`,
    questions,
    set(name, answer, byType = {}) {
      answers.set(name, (type) => (type === "A" || type === "AAAA" ? byType[type] : undefined) ?? answer);
    },
    script(name, steps) {
      let at = -1;
      answers.set(name, (type) => {
        if (type === "A") at = Math.min(at + 1, steps.length - 1);
        return steps[Math.max(at, 0)] ?? "NXDOMAIN";
      });
    },
    setSilent(isSilent) {
      isAllSilent = isSilent;
    },
    async close() {
      socket.close();
      await once(socket, "close");
    },
  };
}
