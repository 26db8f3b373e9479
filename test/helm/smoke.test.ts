import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { caseFile, find, manifests } from "./render.ts";

test("`helm test` asks the gateway and every service, waits for what is still starting, and ends its sidecar", async () => {
  const [requested, quits]: [string[], string[]] = [[], []];
  // Each service is not ready yet at its first request.
  const server = createServer(({ method, url = "" }, response) => {
    if (method === "POST") quits.push(url);
    response.writeHead(requested.includes(url) || url.includes("gateway") ? 200 : 503).end();
    requested.push(url);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { command, args } = find(await manifests(caseFile("everything")), "Pod", "ems-test").spec.containers[0];
  expect(command[0]).toBe("/usr/local/bin/node");
  // One server stands in for all addresses: each address becomes a path.
  const local = args.map((arg: string) => arg.replace(/^http:\/\//, `http://127.0.0.1:${port}/`));
  const child = spawn(process.execPath, [...command.slice(1), ...local], {
    env: { SIDECAR_QUIT_URL: `http://127.0.0.1:${port}/quitquitquit` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  server.close();
  expect(code).toBe(0);
  expect(quits).toEqual(["/quitquitquit"]);
  expect(output.match(/^ok .* 200$/gm)).toHaveLength(8);
  expect(requested[0]).toBe("/ems-gateway.ems.svc.cluster.local:80/readyz");
  for (const name of ["identity", "catalog", "traces", "experiments", "evaluation", "reporting", "notifications"])
    expect(requested).toContain(`/ems-${name}.ems.svc.cluster.local:9090/readyz`);
});
