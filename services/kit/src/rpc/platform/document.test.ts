import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDir } from "@ems/dev/temporary-dir";
import { testKeys } from "@ems/test-support/rpc-keys";
import { expect, onTestFinished, test } from "vitest";
import { listPublicKeys, newPrivateKey } from "../tokens/keys.ts";
import { platformCallers } from "./callers.ts";

const privateKey = newPrivateKey();
const key = listPublicKeys({ a: privateKey }).slice(2);
const entry = { name: "billing", keys: [key], rpcs: ["ems.catalog.v1.TopicService/*"], organizations: ["*"] };
const read = (callers: unknown) => platformCallers({ RPC_PLATFORM_CALLERS: JSON.stringify({ callers }) }, ["gateway"]);

test("a document gets its defaults, in YAML and JSON, as text or as a file", async () => {
  const yaml = `
callers:
  - name: billing
    keys: [${key}]
    rpcs: [ems.catalog.v1.TopicService/*, ems.catalog.v1.TaskService/ListTasks, ems.identity.v1.UserService/BatchGetUsers]
    organizations: [acme, globex]
    applications: [0194F3A0-0000-7000-8000-000000000001]
`;
  const directory = await temporaryDir("ems-callers-");
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "callers.yaml");
  await writeFile(file, yaml);
  const callers = await platformCallers({ RPC_PLATFORM_CALLERS_FILE: file }, []);
  const { rpcs, ...rest } = callers.get("billing") ?? { rpcs: new Set() };
  expect(rest).toMatchObject({
    organizations: ["acme", "globex"],
    applications: ["0194f3a0-0000-7000-8000-000000000001"],
    tokenMinutesMax: 60,
    rate: { perMinute: 6_000, burst: 200, inFlightMax: 100 },
  });
  // The wildcard allows all public RPCs; the other RPC is allowed by name.
  expect(rpcs).toContain("ems.catalog.v1.TopicService/CreateTopic");
  expect(rpcs).toContain("ems.identity.v1.UserService/BatchGetUsers");
  expect((await read([entry])).get("billing")?.name).toBe("billing");
  expect((await platformCallers({ RPC_PLATFORM_CALLERS: "# none yet" }, [])).size).toBe(0);
  expect((await platformCallers({}, [])).size).toBe(0);
});

test("a wildcard matches no internal RPC", async () => {
  const rpcs = (await read([{ ...entry, rpcs: ["ems.identity.v1.UserService/*"] }])).get("billing")?.rpcs ?? new Set();
  expect([...rpcs].sort()).toEqual(["ems.identity.v1.UserService/GetUser", "ems.identity.v1.UserService/ListUsers"]);
});

test("all errors are reported at once, without keys", async () => {
  const wrong = [
    { ...entry, name: "gateway" },
    { ...entry, rpcs: ["ems.catalog.v1.TopicService/Nothing", "ems.catalgo.v1.TopicService/*", "topics"] },
    { ...entry, keys: [privateKey, "x"] },
    { ...entry, keys: [key, key, key] },
    { ...entry, organizations: ["*", "acme"], tokenMinutesMax: 1_441, secret: "x" },
  ];
  const faults: string = await read(wrong).catch((error) => error.message);
  expect(faults).toContain("callers[1].rpcs[2]: must be package.Service/Method, or package.Service/*");
  expect(faults).toContain("callers[2].keys[0]: is a private key");
  expect(faults).toContain("callers[2].keys[1]: must be an Ed25519 public key");
  expect(faults).toContain("callers[4].organizations: must be ids, or * alone");
  expect(faults).toContain("callers[4].tokenMinutesMax");
  expect(faults).toContain("callers[3].keys");
  expect(faults).toContain('"secret"');
  expect(faults).not.toContain(privateKey.slice(0, 40));
  const named: string = await read(wrong.slice(0, 1).concat(entry, entry)).catch((error) => error.message);
  expect(named).toContain("callers[0].name: gateway is a process of the product");
  expect(named).toContain("callers[2].name: billing occurs twice");
  const rpcs: string = await read([{ ...entry, rpcs: wrong[1]?.rpcs.slice(0, 2) }]).catch((error) => error.message);
  expect(rpcs).toContain("ems.catalog.v1.TopicService/Nothing matches no RPC");
  expect(rpcs).toContain("there is no service ems.catalgo.v1.TopicService");
});

test.each([
  [{ RPC_PLATFORM_CALLERS: "callers: [" }, "RPC_PLATFORM_CALLERS: line 1: "],
  [{ RPC_PLATFORM_CALLERS_FILE: "/nowhere" }, "RPC_PLATFORM_CALLERS_FILE: /nowhere cannot be read (ENOENT)"],
  [
    { RPC_PLATFORM_CALLERS_FILE: "a", RPC_PLATFORM_CALLERS: "b" },
    "must not be set together with RPC_PLATFORM_CALLERS_FILE",
  ],
  [{ RPC_PLATFORM_CALLERS: testKeys.RPC_PUBLIC_KEYS }, "RPC_PLATFORM_CALLERS: document: "],
])("%o is refused", async (config, sentence) => {
  await expect(platformCallers(config, [])).rejects.toThrow(sentence);
});
