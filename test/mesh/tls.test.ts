// A mesh whose services use TLS: it answers API requests, and other clients cannot connect.

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { type ProcessName, processNames } from "@ems/deploy/mesh";
import { createTestCa } from "@ems/test-support/certificates";
import { afterAll, expect, test } from "vitest";
import { findProcess } from "../harness/mesh-address.ts";
import { startProduct } from "../harness/product.ts";

const directory = mkdtempSync(join(tmpdir(), "ems-test-tls-"));
const [ca, otherCa] = [await createTestCa(), await createTestCa()];
const { cert, key } = await ca.issue(processNames);
const file = (name: string, content: string) => {
  writeFileSync(join(directory, name), content, { mode: 0o600 });
  return join(directory, name);
};
const product = await startProduct("mesh", {
  env: {
    RPC_TLS_CA_FILE: file("ca.crt", ca.cert),
    RPC_TLS_CERT_FILE: file("tls.crt", cert),
    RPC_TLS_KEY_FILE: file("tls.key", key),
  },
});
afterAll(async () => {
  await product.remove();
  rmSync(directory, { recursive: true });
});
const { baseUrl, apiKey = "", applicationId } = product.facts;

/** Returns the alert or error that ends the connection, or "secure". */
async function handshake(name: ProcessName, trusted: string): Promise<string> {
  const [, port] = (await findProcess(product.facts, name)).address.split(":");
  const options = { host: "127.0.0.1", port: Number(port), ca: trusted, servername: name, ALPNProtocols: ["h2"] };
  const socket = connectTls(options);
  const outcome = await Promise.race([
    once(socket, "secureConnect").then(() => "secure"),
    once(socket, "error").then(([error]) => error.code),
  ]).catch((error) => error.code);
  socket.destroy();
  return outcome;
}

test("the API is answered: each call of the gateway and between services is one over TLS", async () => {
  const headers = { "x-api-key": apiKey, "x-application-id": applicationId, "content-type": "application/json" };
  // The gateway calls identity and catalog; catalog and experiments call identity.
  const post = (path: string, body: object) =>
    fetch(`${baseUrl}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect((await post("/v0/topics", { title: "TLS" })).status).toBe(201);
  expect((await fetch(`${baseUrl}/v0/experiments`, { headers })).status).toBe(200);
  expect((await fetch(`${baseUrl}/v0/webhook`, { headers })).status).toBeLessThan(500);
  for (const name of processNames.filter((each) => each !== "gateway")) {
    expect(await handshake(name, ca.cert)).toBe("secure");
    expect(await handshake(name, otherCa.cert)).not.toBe("secure");
  }
});

test("cleartext is refused", async () => {
  const [, port] = (await findProcess(product.facts, "catalog")).address.split(":");
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  await once(socket, "close");
});
