// The receivers of deploy/example/webhooks: requests that they accept and refuse, in every installed language.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "@ems/dev/free-port";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../deploy/example/webhooks");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const body = JSON.stringify({ type: "topic.created", data: { title: "Geöffnet – 開く" } });

const receivers = [
  ["node", ["receiver.mjs"], ["--version"]],
  ["python3", ["receiver.py"], ["--version"]],
  ["go", ["run", "receiver.go"], ["version"]],
  ["java", ["Receiver.java"], ["-version"]],
] as const;

const now = () => Math.floor(Date.now() / 1000);
const signed = (id: string, at: number, of = secret) => new Webhook(of).sign(id, new Date(at * 1000), body);
const headers = (id: string, at: number, signature: string) => ({
  "webhook-id": id,
  "webhook-timestamp": String(at),
  "webhook-signature": signature,
});

describe.each(receivers)("the receiver in %s", (command, args, version) => {
  // The first Go build takes minutes.
  const isChosen = command !== "go" || process.env.GUIDES === "all";
  const isInstalled = isChosen && spawnSync(command, [...version]).status === 0;
  if (isChosen && !isInstalled) console.warn(`There is no ${command}: its receiver is not tested.`);

  test.skipIf(!isInstalled)(
    "takes what is signed, once, and refuses what is altered, old, or signed by another",
    async () => {
      const port = await freePort();
      const env = {
        ...process.env,
        WEBHOOK_SECRET: secret,
        PORT: String(port),
        PYTHONDONTWRITEBYTECODE: "1",
      };
      // A process group, since `go run` starts the program as a child.
      const child: ChildProcess = spawn(command, [...args], { cwd: folder, env, detached: true });
      const ended = once(child, "close");
      let printed = "";
      child.stdout?.on("data", (chunk) => (printed += String(chunk)));
      child.stderr?.on("data", (chunk) => (printed += String(chunk)));
      try {
        await expect.poll(() => printed, { timeout: 120_000 }).toContain("Listening");
        const post = async (sent: Record<string, string>, text = body) =>
          (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: sent, body: text })).status;
        const at = now();
        const good = headers("evt_1", at, signed("evt_1", at));
        expect(await post(good)).toBe(204);
        expect(await post(good)).toBe(204);
        // After a rotation, requests have two signatures.
        const both = `${signed("evt_2", at, other)} ${signed("evt_2", at)}`;
        expect(await post(headers("evt_2", at, both))).toBe(204);
        const refused = [
          await post(good, `${body} `),
          await post(headers("evt_3", at, signed("evt_1", at))),
          await post(headers("evt_1", at + 1, signed("evt_1", at))),
          await post(headers("evt_4", at, signed("evt_4", at, other))),
          await post(headers("evt_5", at - 600, signed("evt_5", at - 600))),
          await post(headers("evt_6", at + 600, signed("evt_6", at + 600))),
          await post(headers("evt_7", at, "v1,")),
          await post(headers("evt_8", at, signed("evt_8", at).slice(3))),
          await post({}),
        ];
        expect(refused).toEqual(refused.map(() => 401));
        const [, ...lines] = printed.trim().split("\n");
        expect(lines).toEqual(command === "java" ? ["evt_1", "evt_2"] : ["topic.created", "topic.created"]);
      } finally {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        await ended;
      }
    },
  );
});
