// `ems webhook set`, and the commands for a local webhook in deploy/guides/command-line.md.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@ems/dev/free-port";
import { expect, inject, test } from "vitest";
import { emsAs } from "../harness/cli.ts";
import { nowhere } from "../harness/names.ts";
import { newTenant } from "../harness/tenant.ts";

const { baseUrl } = inject("product");

test("webhook set, get and test, as the guide tests a local webhook", async () => {
  const tenant = await newTenant();
  const ems = emsAs({ baseUrl, ...tenant });
  const readme = await readFile(join(import.meta.dirname, "../../deploy/guides/command-line.md"), "utf8");
  const guide = /A webhook on this machine.*?```sh\n(.*?)```/s.exec(readme)?.[1] ?? "";
  const script = `${guide.replaceAll("8080", String(await freePort()))}kill $!\n`;
  const settings = { EMS_URL: baseUrl, EMS_API_KEY: tenant.apiKey, EMS_APPLICATION_ID: tenant.applicationId };
  const options = { cwd: join(import.meta.dirname, "../.."), env: { ...process.env, ...settings } };
  const { stdout } = await promisify(execFile)("bash", ["-ec", script], options);
  expect(stdout).toMatch(/^Secret +whsec_/m);
  expect(stdout).toContain('"type":"webhook.test"');
  expect(stdout).toMatch(/Delivered: the receiver answered 200$/m);
  expect((await ems(["webhook", "get"])).stdout).toMatch(/^URL +http:\/\/127.*\nSecret +whsec_.*\nState +enabled\n$/);
  const headers = ["--header", "x-team=a=b", "--header", "x-stage=test"];
  const set = await ems(["webhook", "set", nowhere, ...headers, "--json"]);
  expect(JSON.parse(set.stdout)).toMatchObject({ url: nowhere, headers: { "x-team": "a=b", "x-stage": "test" } });
  expect(await ems(["webhook", "set", "https://10.0.0.1/"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /must be https and resolve to a public host\n.*WEBHOOK_ALLOW_LOOPBACK=yes.*WEBHOOK_ALLOW_CIDRS/,
    ),
  });
});
